package deviations

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// answered changes the successful answers that w selects.
func answered(w When, change func(*Call, *Answer)) Change {
	return On(Showing...).And(Succeeded).And(w).Then(change)
}

var mediaRows = faults(breaks("SERVICE-1"))(
	fault("media-html-on-create", answered(On(spec.CreatePet), Declared(htmlType))),
	fault("media-none-on-get", answered(On(spec.GetPet), Declared(""))),
	fault("media-bytes-on-list", answered(On(spec.ListPets), Declared("application/octet-stream"))),
	fault("media-text-when-empty", answered(EmptyList, Declared(textType))),
)

var jsonRows = faults(breaks("SERVICE-2"))(
	fault("json-footer-behind", answered(On(spec.ListPets), Surrounded("", "\n<!-- 4 ms -->"))),
	fault("json-twice", answered(On(spec.GetPet), Rewritten(twice))),
	fault("json-lines", answered(On(spec.ListPets), Rewritten(func(body []byte) []byte {
		return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
	})), may("LIST-2")),
	fault("json-single-quotes", answered(Always, Substituted(`"`, `'`))),
	fault("json-latin1", answered(Always, Rewritten(latin1)), may("CREATE-3", "LIST-10", "CREATE-13", "GET-2")),
	fault("json-names-unescaped", answered(Always, Substituted(`\"`, `"`))),
	fault("json-newline-unescaped", answered(Always, Substituted(`\n`, "\n")), may("LIST-2")),
	fault("json-backslash-unescaped", answered(Always, Substituted(`\\`, `\`)), may("CREATE-3")),
)

func twice(body []byte) []byte { return slices.Concat(body, body) }

func withoutLastByte(body []byte) []byte { return body[:len(body)-1] }

func asString(body []byte) []byte { return []byte(Quoted(string(body))) }

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
	fault("closed-now-and-then", OfOperations.And(Every(11)).Then(Abort)),
	fault("closed-on-empty-body",
		On(spec.CreatePet).And(Calls(func(c *Call) bool { return len(c.Body) == 0 && c.Account != nil })).Then(Abort),
		may("CREATE-11")),
	fault("closed-on-broken-json",
		On(spec.CreatePet).And(Having(400)).And(Calls(func(c *Call) bool { return len(c.Body) > 0 && c.Body[0] != '{' })).Then(Abort),
		may("CREATE-11")),
	fault("closed-on-emoji",
		On(spec.CreatePet).And(Calls(func(c *Call) bool { return beyond(c.Draft.Name, 0xffff) })).Then(Abort),
		may("CREATE-1", "CREATE-13")),
	fault("closed-on-unknown-animal", On(spec.GetPet).And(Having(404)).Then(Abort), may("GET-3")),
	fault("closed-on-limit-100",
		On(spec.ListPets).And(Calls(func(c *Call) bool { return c.Filter.Limit == spec.MaxLimit })).Then(Abort),
		may("LIST-3")),
	// These send half of an answer, or another than they declare.
	fault("gzip-in-name-only",
		On(spec.ListPets).And(Having(200)).Then(func(c *Call, _ *Answer) { c.Header.Set("Content-Encoding", "gzip") }),
		may("SERVICE-2")),
	fault("cut-short-on-list", cutShort(Lists)),
	fault("cut-short-on-create", cutShort(Having(201))),
)
