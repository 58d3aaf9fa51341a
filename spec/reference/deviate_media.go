package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
)

// answered changes the successful answers that w selects.
func answered(w when, change func(*call, *answer)) func(*behaviour) {
	return on(showing...).and(succeeded).and(w).then(change)
}

var mediaDeviations = table(Deviation{Breaks: ids("SERVICE-1")}, []Deviation{
	{Name: "media-text-on-list", Suffers: "A client that goes by the media type shows a listing as text.", apply: answered(on(spec.ListPets), declared(textType))},
	{Name: "media-html-on-create", Suffers: "A new animal is declared as HTML, the framework's default.", apply: answered(on(spec.CreatePet), declared(htmlType))},
	{Name: "media-text-on-get", Suffers: "A fetched animal is declared as text.", apply: answered(on(spec.GetPet), declared("text/plain"))},
	{Name: "media-none", Suffers: "A client must guess the media type.", apply: answered(always, declared(""))},
	{Name: "media-none-on-get", Suffers: "A client must guess the media type of a fetched animal.", apply: answered(on(spec.GetPet), declared(""))},
	{Name: "media-bytes-on-list", Suffers: "A browser saves the listing as a file.", apply: answered(on(spec.ListPets), declared("application/octet-stream"))},
	{Name: "media-json-api", Suffers: "The body is declared as a format that it does not have.", apply: answered(always, declared("application/vnd.api+json"))},
	{Name: "media-word", Suffers: "The header does not hold a media type.", apply: answered(on(spec.CreatePet), declared("json"))},
	{Name: "media-text-when-empty", Suffers: "An empty listing is declared as text.", apply: answered(emptyList, declared(textType))},
	{Name: "media-html-when-filtered", Suffers: "Filtered listings are declared as HTML, because a cache lost the media type.", apply: answered(filtered, declared(htmlType))},
})

var jsonDeviations = table(Deviation{Breaks: ids("SERVICE-2")}, []Deviation{
	{Name: "json-byte-order-mark", Suffers: "A strict parser fails on the byte order mark.", apply: answered(always, surrounded("\ufeff", ""))},
	{Name: "json-guard-prefix", Suffers: "A client must know the prefix against script inclusion and remove it.", apply: answered(on(spec.ListPets), surrounded(")]}',\n", ""))},
	{Name: "json-warning-before", Suffers: "A warning of the interpreter stands before the body.", apply: answered(on(spec.CreatePet), surrounded("<br />\n<b>Warning</b>: undefined index\n", ""))},
	{Name: "json-footer-behind", Suffers: "A debugging comment stands behind the body.", apply: answered(on(spec.ListPets), surrounded("", "\n<!-- 4 ms -->"))},
	{Name: "json-twice", Suffers: "The body is written twice.", apply: answered(on(spec.GetPet), rewritten(func(body []byte) []byte { return bytes.Repeat(body, 2) }))},
	{Name: "json-last-byte-missing", Suffers: "The last bracket is missing.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte { return body[:len(body)-1] }))},
	{Name: "json-empty-when-empty", Breaks: ids("LIST-2"), Suffers: "An empty listing has an empty body, which a parser refuses.", apply: answered(emptyList, saying(""))},
	{Name: "json-empty-on-201", Breaks: ids("CREATE-2"), Suffers: "A client does not learn which animal it created.", apply: answered(having(201), saying(""))},
	{Name: "json-trailing-comma", Suffers: "A comma stands before the last bracket.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
		if len(body) <= 2 {
			return body
		}
		return append(slices.Clone(body[:len(body)-1]), ",]"...)
	}))},
	{Name: "json-lines", May: ids("LIST-2"), Suffers: "Each animal stands on a line of its own, without an array.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
		return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
	}))},
	{Name: "json-length-in-letters", Suffers: "The length counts characters, so a name beyond ASCII cuts the body short.", apply: answered(always, rewritten(func(body []byte) []byte {
		return body[:utf8.RuneCount(body)]
	}))},
	{Name: "json-single-quotes", Suffers: "The body is a printed value in single quotes.", apply: answered(always, substituted(`"`, `'`))},
	{Name: "json-utf16", Suffers: "The body is UTF-16, which JSON parsers do not expect.", apply: answered(on(spec.GetPet), rewritten(utf16Bytes))},
	{Name: "json-latin1", May: ids("CREATE-3", "LIST-10", "CREATE-13", "GET-2"), Suffers: "Names with accents are not UTF-8.", apply: answered(always, rewritten(latin1))},
	{Name: "json-names-unescaped", Suffers: "A quotation mark in a name ends the string.", apply: answered(always, substituted(`\"`, `"`))},
	{Name: "json-emoji-halved", Suffers: "Characters beyond U+FFFF are written as two surrogates, which is not UTF-8.", apply: answered(always, rewritten(surrogateBytes))},
	{Name: "json-newline-unescaped", May: ids("LIST-2"), Suffers: "A line break in a name is not escaped.", apply: answered(always, substituted(`\n`, "\n"))},
	{Name: "json-backslash-unescaped", May: ids("CREATE-3"), Suffers: "A backslash in a name begins an invalid escape.", apply: answered(always, substituted(`\\`, `\`))},
})

func utf16Bytes(body []byte) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(string(body))) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// latin1 writes characters beyond U+00FF as question marks.
func latin1(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// surrogateBytes writes each half of a surrogate pair as three bytes, as some databases do.
func surrogateBytes(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		high, low := utf16.EncodeRune(r)
		if high == utf8.RuneError {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range [2]rune{high, low} {
			out = append(out, 0xe0|byte(half>>12), 0x80|byte(half>>6)&0x3f, 0x80|byte(half)&0x3f)
		}
	}
	return out
}

// beyond reports whether a text has a character above limit.
func beyond(text string, limit rune) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > limit })
}

// cutShort announces the whole body and sends half of it.
func cutShort(w when) func(*behaviour) {
	return func(b *behaviour) {
		write := b.write
		b.write = func(c *call, a answer) {
			if !w(c, &a) || len(a.body) < 2 {
				write(c, a)
				return
			}
			c.header["Content-Type"] = []string{a.mediaType}
			c.header["Content-Length"] = []string{strconv.Itoa(len(a.body))}
			c.writer.WriteHeader(a.status)
			_, _ = c.writer.Write(a.body[:len(a.body)/2])
			// net/http drops what is not flushed when the handler aborts.
			_ = http.NewResponseController(c.writer).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

var transportDeviations = table(Deviation{Breaks: ids("SERVICE-3")}, []Deviation{
	// These close the connection. A run may also report what the missing answers were to prove.
	{Name: "closed-now-and-then", Suffers: "Every eleventh request gets no answer.", apply: ofOperations.and(every(11)).then(abort)},
	{Name: "closed-on-empty-body", May: ids("CREATE-11"), Suffers: "An empty body gets no answer, because it ends the worker.",
		apply: on(spec.CreatePet).and(calls(func(c *call) bool { return len(c.body) == 0 && c.account != nil })).then(abort)},
	{Name: "closed-on-broken-json", May: ids("CREATE-11"), Suffers: "A body that is not JSON gets no answer.",
		apply: on(spec.CreatePet).and(having(400)).and(calls(func(c *call) bool { return len(c.body) > 0 && c.body[0] != '{' })).then(abort)},
	{Name: "closed-on-emoji", May: ids("CREATE-1", "CREATE-13"), Suffers: "A name with an emoji gets no answer.",
		apply: on(spec.CreatePet).and(calls(func(c *call) bool { return beyond(c.draft.Name, 0xffff) })).then(abort)},
	{Name: "closed-on-unknown-animal", May: ids("GET-3"), Suffers: "A petId without an animal gets no answer.", apply: on(spec.GetPet).and(having(404)).then(abort)},
	{Name: "closed-on-limit-100", May: ids("LIST-3"), Suffers: "The largest listing gets no answer, because the proxy times out.",
		apply: on(spec.ListPets).and(calls(func(c *call) bool { return c.filter.limit == spec.MaxLimit })).then(abort)},
	// These send half of an answer, or another than they declare.
	{Name: "gzip-in-name-only", May: ids("SERVICE-2"), Suffers: "A client fails to decompress a body that is declared gzip and is not.",
		apply: on(spec.ListPets).and(having(200)).then(func(c *call, _ *answer) { c.header.Set("Content-Encoding", "gzip") })},
	{Name: "cut-short-on-list", Suffers: "A listing ends in the middle; a client that ignores the length loses animals.", apply: cutShort(on(spec.ListPets).and(succeeded))},
	{Name: "cut-short-on-create", Suffers: "A client does not know whether its animal was created, and creates it again.", apply: cutShort(having(http.StatusCreated))},
	{Name: "cut-short-on-errors", Suffers: "An Error ends in the middle.", apply: cutShort(failed)},
})
