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

var mediaDeviations = faults(breaks("SERVICE-1"))(
	fault("media-text-on-list", "A client that goes by the media type shows a listing as text.",
		answered(on(spec.ListPets), declared(textType))),
	fault("media-html-on-create", "A new animal is declared as HTML, the framework's default.",
		answered(on(spec.CreatePet), declared(htmlType))),
	fault("media-text-on-get", "A fetched animal is declared as text.",
		answered(on(spec.GetPet), declared("text/plain"))),
	fault("media-none", "A client must guess the media type.", answered(always, declared(""))),
	fault("media-none-on-get", "A client must guess the media type of a fetched animal.",
		answered(on(spec.GetPet), declared(""))),
	fault("media-bytes-on-list", "A browser saves the listing as a file.",
		answered(on(spec.ListPets), declared("application/octet-stream"))),
	fault("media-json-api", "The body is declared as a format that it does not have.",
		answered(always, declared("application/vnd.api+json"))),
	fault("media-word", "The header does not hold a media type.", answered(on(spec.CreatePet), declared("json"))),
	fault("media-text-when-empty", "An empty listing is declared as text.", answered(emptyList, declared(textType))),
	fault("media-html-when-filtered", "Filtered listings are declared as HTML, because a cache lost the media type.",
		answered(filtered, declared(htmlType))),
)

var jsonDeviations = faults(breaks("SERVICE-2"))(
	fault("json-byte-order-mark", "A strict parser fails on the byte order mark.",
		answered(always, surrounded("\ufeff", ""))),
	fault("json-guard-prefix", "A client must know the prefix against script inclusion and remove it.",
		answered(on(spec.ListPets), surrounded(")]}',\n", ""))),
	fault("json-warning-before", "A warning of the interpreter stands before the body.",
		answered(on(spec.CreatePet), surrounded("<br />\n<b>Warning</b>: undefined index\n", ""))),
	fault("json-footer-behind", "A debugging comment stands behind the body.",
		answered(on(spec.ListPets), surrounded("", "\n<!-- 4 ms -->"))),
	fault("json-twice", "The body is written twice.", answered(on(spec.GetPet), rewritten(twice))),
	fault("json-last-byte-missing", "The last bracket is missing.",
		answered(on(spec.ListPets), rewritten(withoutLastByte))),
	fault("json-empty-when-empty", "An empty listing has an empty body, which a parser refuses.",
		answered(emptyList, saying("")), breaks("LIST-2")),
	fault("json-empty-on-201", "A client does not learn which animal it created.",
		answered(having(201), saying("")), breaks("CREATE-2")),
	fault("json-trailing-comma", "A comma stands before the last bracket.",
		answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
			if len(body) <= 2 {
				return body
			}
			return append(slices.Clone(body[:len(body)-1]), ",]"...)
		}))),
	fault("json-lines", "Each animal stands on a line of its own, without an array.",
		answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
			return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
		})), may("LIST-2")),
	fault("json-length-in-letters", "The length counts characters, so a name beyond ASCII cuts the body short.",
		answered(always, rewritten(func(body []byte) []byte {
			return body[:utf8.RuneCount(body)]
		}))),
	fault("json-single-quotes", "The body is a printed value in single quotes.",
		answered(always, substituted(`"`, `'`))),
	fault("json-utf16", "The body is UTF-16, which JSON parsers do not expect.",
		answered(on(spec.GetPet), rewritten(utf16Bytes))),
	fault("json-latin1", "Names with accents are not UTF-8.",
		answered(always, rewritten(latin1)), may("CREATE-3", "LIST-10", "CREATE-13", "GET-2")),
	fault("json-names-unescaped", "A quotation mark in a name ends the string.",
		answered(always, substituted(`\"`, `"`))),
	fault("json-emoji-halved", "Characters beyond U+FFFF are written as two surrogates, which is not UTF-8.",
		answered(always, rewritten(surrogateBytes))),
	fault("json-newline-unescaped", "A line break in a name is not escaped.",
		answered(always, substituted(`\n`, "\n")), may("LIST-2")),
	fault("json-backslash-unescaped", "A backslash in a name begins an invalid escape.",
		answered(always, substituted(`\\`, `\`)), may("CREATE-3")),
)

func twice(body []byte) []byte { return slices.Concat(body, body) }

func withoutLastByte(body []byte) []byte { return body[:len(body)-1] }

func asString(body []byte) []byte { return []byte(quoted(string(body))) }

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

var transportDeviations = faults(breaks("SERVICE-3"))(
	// These close the connection. A run may also report what the missing answers were to prove.
	fault("closed-now-and-then", "Every eleventh request gets no answer.", ofOperations.and(every(11)).then(abort)),
	fault("closed-on-empty-body", "An empty body gets no answer, because it ends the worker.",
		on(spec.CreatePet).and(calls(func(c *call) bool { return len(c.body) == 0 && c.account != nil })).then(abort),
		may("CREATE-11")),
	fault("closed-on-broken-json", "A body that is not JSON gets no answer.",
		on(spec.CreatePet).and(having(400)).and(calls(func(c *call) bool { return len(c.body) > 0 && c.body[0] != '{' })).then(abort),
		may("CREATE-11")),
	fault("closed-on-emoji", "A name with an emoji gets no answer.",
		on(spec.CreatePet).and(calls(func(c *call) bool { return beyond(c.draft.Name, 0xffff) })).then(abort),
		may("CREATE-1", "CREATE-13")),
	fault("closed-on-unknown-animal", "A petId without an animal gets no answer.",
		on(spec.GetPet).and(having(404)).then(abort), may("GET-3")),
	fault("closed-on-limit-100", "The largest listing gets no answer, because the proxy times out.",
		on(spec.ListPets).and(calls(func(c *call) bool { return c.filter.limit == spec.MaxLimit })).then(abort),
		may("LIST-3")),
	// These send half of an answer, or another than they declare.
	fault("gzip-in-name-only", "A client fails to decompress a body that is declared gzip and is not.",
		on(spec.ListPets).and(having(200)).then(func(c *call, _ *answer) { c.header.Set("Content-Encoding", "gzip") }),
		may("SERVICE-2")),
	fault("cut-short-on-list", "A listing ends in the middle; a client that ignores the length loses animals.",
		cutShort(lists)),
	fault("cut-short-on-create", "A client does not know whether its animal was created, and creates it again.",
		cutShort(having(201))),
	fault("cut-short-on-errors", "An Error ends in the middle.", cutShort(failed)),
)
