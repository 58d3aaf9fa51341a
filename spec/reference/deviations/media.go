package deviations

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// answered changes the successful answers that w selects.
func answered(w When, change func(*Call, *Answer)) Change {
	return On(Showing...).And(Succeeded).And(w).Then(change)
}

var mediaRows = faults(breaks("SERVICE-1"))(
	fault("media-text-on-list", "A client that goes by the media type shows a listing as text.",
		answered(On(spec.ListPets), Declared(textType))),
	fault("media-html-on-create", "A new animal is declared as HTML, the framework's default.",
		answered(On(spec.CreatePet), Declared(htmlType))),
	fault("media-text-on-get", "A fetched animal is declared as text.",
		answered(On(spec.GetPet), Declared("text/plain"))),
	fault("media-none", "A client must guess the media type.", answered(Always, Declared(""))),
	fault("media-none-on-get", "A client must guess the media type of a fetched animal.",
		answered(On(spec.GetPet), Declared(""))),
	fault("media-bytes-on-list", "A browser saves the listing as a file.",
		answered(On(spec.ListPets), Declared("application/octet-stream"))),
	fault("media-json-api", "The body is declared as a format that it does not have.",
		answered(Always, Declared("application/vnd.api+json"))),
	fault("media-word", "The header does not hold a media type.", answered(On(spec.CreatePet), Declared("json"))),
	fault("media-text-when-empty", "An empty listing is declared as text.", answered(EmptyList, Declared(textType))),
	fault("media-html-when-filtered", "Filtered listings are declared as HTML, because a cache lost the media type.",
		answered(Filtered, Declared(htmlType))),
)

var jsonRows = faults(breaks("SERVICE-2"))(
	fault("json-byte-order-mark", "A strict parser fails on the byte order mark.",
		answered(Always, Surrounded("\ufeff", ""))),
	fault("json-guard-prefix", "A client must know the prefix against script inclusion and remove it.",
		answered(On(spec.ListPets), Surrounded(")]}',\n", ""))),
	fault("json-warning-before", "A warning of the interpreter stands before the body.",
		answered(On(spec.CreatePet), Surrounded("<br />\n<b>Warning</b>: undefined index\n", ""))),
	fault("json-footer-behind", "A debugging comment stands behind the body.",
		answered(On(spec.ListPets), Surrounded("", "\n<!-- 4 ms -->"))),
	fault("json-twice", "The body is written twice.", answered(On(spec.GetPet), Rewritten(twice))),
	fault("json-last-byte-missing", "The last bracket is missing.",
		answered(On(spec.ListPets), Rewritten(withoutLastByte))),
	fault("json-empty-when-empty", "An empty listing has an empty body, which a parser refuses.",
		answered(EmptyList, Saying("")), breaks("LIST-2")),
	fault("json-empty-on-201", "A client does not learn which animal it created.",
		answered(Having(201), Saying("")), breaks("CREATE-2")),
	fault("json-trailing-comma", "A comma stands before the last bracket.",
		answered(On(spec.ListPets), Rewritten(func(body []byte) []byte {
			if len(body) <= 2 {
				return body
			}
			return append(slices.Clone(body[:len(body)-1]), ",]"...)
		}))),
	fault("json-lines", "Each animal stands on a line of its own, without an array.",
		answered(On(spec.ListPets), Rewritten(func(body []byte) []byte {
			return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
		})), may("LIST-2")),
	fault("json-length-in-letters", "The length counts characters, so a name beyond ASCII cuts the body short.",
		answered(Always, Rewritten(func(body []byte) []byte { return body[:utf8.RuneCount(body)] }))),
	fault("json-single-quotes", "The body is a printed value in single quotes.",
		answered(Always, Substituted(`"`, `'`))),
	fault("json-utf16", "The body is UTF-16, which JSON parsers do not expect.",
		answered(On(spec.GetPet), Rewritten(utf16Bytes))),
	fault("json-latin1", "Names with accents are not UTF-8.",
		answered(Always, Rewritten(latin1)), may("CREATE-3", "LIST-10", "CREATE-13", "GET-2")),
	fault("json-names-unescaped", "A quotation mark in a name ends the string.",
		answered(Always, Substituted(`\"`, `"`))),
	fault("json-emoji-halved", "Characters beyond U+FFFF are written as two surrogates, which is not UTF-8.",
		answered(Always, Rewritten(surrogateBytes))),
	fault("json-newline-unescaped", "A line break in a name is not escaped.",
		answered(Always, Substituted(`\n`, "\n")), may("LIST-2")),
	fault("json-backslash-unescaped", "A backslash in a name begins an invalid escape.",
		answered(Always, Substituted(`\\`, `\`)), may("CREATE-3")),
)

func twice(body []byte) []byte { return slices.Concat(body, body) }

func withoutLastByte(body []byte) []byte { return body[:len(body)-1] }

func asString(body []byte) []byte { return []byte(Quoted(string(body))) }

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
func cutShort(w When) Change {
	return func(b *Behaviour) {
		write := b.Write
		b.Write = func(c *Call, a Answer) {
			if !w(c, &a) || len(a.Body) < 2 {
				write(c, a)
				return
			}
			c.Header["Content-Type"] = []string{a.MediaType}
			c.Header["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
			c.Writer.WriteHeader(a.Status)
			_, _ = c.Writer.Write(a.Body[:len(a.Body)/2])
			// net/http drops what is not flushed when the handler aborts.
			_ = http.NewResponseController(c.Writer).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

var transportRows = faults(breaks("SERVICE-3"))(
	// These close the connection. A run may also report what the missing answers were to prove.
	fault("closed-now-and-then", "Every eleventh request gets no answer.", OfOperations.And(Every(11)).Then(Abort)),
	fault("closed-on-empty-body", "An empty body gets no answer, because it ends the worker.",
		On(spec.CreatePet).And(Calls(func(c *Call) bool { return len(c.Body) == 0 && c.Account != nil })).Then(Abort),
		may("CREATE-11")),
	fault("closed-on-broken-json", "A body that is not JSON gets no answer.",
		On(spec.CreatePet).And(Having(400)).And(Calls(func(c *Call) bool { return len(c.Body) > 0 && c.Body[0] != '{' })).Then(Abort),
		may("CREATE-11")),
	fault("closed-on-emoji", "A name with an emoji gets no answer.",
		On(spec.CreatePet).And(Calls(func(c *Call) bool { return beyond(c.Draft.Name, 0xffff) })).Then(Abort),
		may("CREATE-1", "CREATE-13")),
	fault("closed-on-unknown-animal", "A petId without an animal gets no answer.",
		On(spec.GetPet).And(Having(404)).Then(Abort), may("GET-3")),
	fault("closed-on-limit-100", "The largest listing gets no answer, because the proxy times out.",
		On(spec.ListPets).And(Calls(func(c *Call) bool { return c.Filter.Limit == spec.MaxLimit })).Then(Abort),
		may("LIST-3")),
	// These send half of an answer, or another than they declare.
	fault("gzip-in-name-only", "A client fails to decompress a body that is declared gzip and is not.",
		On(spec.ListPets).And(Having(200)).Then(func(c *Call, _ *Answer) { c.Header.Set("Content-Encoding", "gzip") }),
		may("SERVICE-2")),
	fault("cut-short-on-list", "A listing ends in the middle; a client that ignores the length loses animals.",
		cutShort(Lists)),
	fault("cut-short-on-create", "A client does not know whether its animal was created, and creates it again.",
		cutShort(Having(201))),
	fault("cut-short-on-errors", "An Error ends in the middle.", cutShort(Failed)),
)
