package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"petconform/spec"
)

// worded makes a freedom that writes JSON otherwise, with the same meaning.
func worded(name, says string, change func(body []byte) []byte) Freedom {
	return Freedom{
		Name: name, Open: open("RFC 8259"), Says: says, Part: name,
		apply: func(b *behaviour) {
			b.alter(func(_ *call, a *answer) bool { return len(a.body) > 0 }, func(_ *call, a *answer) { a.body = change(a.body) })
		},
	}
}

// headed makes a freedom that adds to an answer's headers, or changes them.
func headed(name, part, clause, says string, w when, change func(c *call, a *answer)) Freedom {
	return Freedom{
		Name: name, Open: open(clause), Says: says, Part: part,
		apply: func(b *behaviour) { b.alter(w, change) },
	}
}

// spelled moves the headers that the interface names to another spelling, which HTTP does not distinguish.
func spelled(spelling func(string) string) func(*call, *answer) {
	return func(c *call, _ *answer) {
		for _, name := range []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset, spec.HeaderRetryAfter} {
			canonical := http.CanonicalHeaderKey(name)
			if values, has := c.header[canonical]; has {
				delete(c.header, canonical)
				c.header[spelling(name)] = values
			}
		}
	}
}

var wireFreedoms = slices.Concat(bodyWireFreedoms, headerFreedoms, framingFreedoms)

var bodyWireFreedoms = []Freedom{
	worded("pretty-printed", "Bodies are indented.", func(body []byte) []byte {
		var out bytes.Buffer
		if json.Indent(&out, body, "", "  ") != nil {
			return body
		}
		return out.Bytes()
	}),
	worded("line-break-behind", "Bodies end in a line break.", func(body []byte) []byte { return append(slices.Clone(body), '\n') }),
	worded("escaped-beyond-ascii", "Characters beyond ASCII are escaped.", asciiOnly),
	worded("slashes-escaped", "Slashes in strings are escaped.", func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte("/"), []byte(`\/`))
	}),
	{
		Name: "members-in-another-order", Open: open("RFC 8259: the members of an object have no order"), Part: "order of members",
		Says: "A Pet begins with its status and ends with its id.",
		apply: func(b *behaviour) {
			b.writePet(showing, func(_ spec.Pet, f []field) []field {
				slices.Reverse(f)
				return f
			})
		},
	},
	{
		Name: "pet-with-more-members", Open: open("Resources / Pet: other members are not excluded"), Part: "more members of Pet",
		Says: "A Pet has members that the interface does not name.",
		apply: func(b *behaviour) {
			for _, op := range showing {
				write := b.pet[op]
				b.pet[op] = func(dst []byte, p spec.Pet) []byte {
					dst = write(dst, p)
					return append(dst[:len(dst)-1], `,"createdAt":"2026-03-01T12:00:00Z","tags":[],"owner":null,"self":{"href":"here"}}`...)
				}
			}
		},
	},
	{
		Name: "error-with-more-members", Open: open("Resources / Error: other members are not excluded"), Part: "more members of Error",
		Says: "An Error has members that the interface does not name.",
		apply: func(b *behaviour) {
			write := b.failure
			b.failure = func(dst []byte, c *call, e spec.Error) []byte {
				dst = write(dst, c, e)
				return append(dst[:len(dst)-1], `,"requestId":"4711","details":[{"field":null}]}`...)
			}
		},
	},
	{
		Name: "codes-like-numbers", Open: open("ERROR-6"), Part: "codes",
		Says: "The code of an Error is a string of digits.",
		apply: func(b *behaviour) {
			write := b.failure
			b.failure = func(dst []byte, c *call, e spec.Error) []byte {
				e.Code = strconv.Itoa(e.Status*100 + len(e.Code))
				return write(dst, c, e)
			}
		},
	},
	{
		Name: "codes-in-words", Open: open("ERROR-6"), Part: "codes",
		Says: "The code of an Error is a sentence, and the message is in another language.",
		apply: func(b *behaviour) {
			write := b.failure
			b.failure = func(dst []byte, c *call, e spec.Error) []byte {
				e.Code, e.Message = http.StatusText(e.Status), "Das geht so nicht. 🐾"
				return write(dst, c, e)
			}
		},
	},
}

var headerFreedoms = []Freedom{
	headed("charset-given", "media type parameters", "What the service does: a media type may have parameters", "The media type has a charset.", always, func(_ *call, a *answer) {
		if a.mediaType == mediaJSON {
			a.mediaType = "application/json; charset=utf-8"
		}
	}),
	headed("media-type-in-capitals", "media type parameters", "RFC 9110, section 8.3.1: media types have no case", "The media type is written Application/JSON;charset=UTF-8.", always, func(_ *call, a *answer) {
		if a.mediaType == mediaJSON {
			a.mediaType = "Application/JSON;charset=UTF-8"
		}
	}),
	headed("headers-in-lower-case", "spelling of headers", "RFC 9110, section 5.1: names of headers have no case", "The headers are written in lower case.", always, spelled(strings.ToLower)),
	headed("headers-as-documented", "spelling of headers", "RFC 9110, section 5.1: names of headers have no case", "The headers are written as in the interface.", always, spelled(strings.Clone)),
	headed("date-absent", "date", "RFC 9110, section 6.6.1: a server without a clock sends no Date", "There is no Date.", always, func(c *call, _ *answer) { c.header["Date"] = nil }),
	headed("location-on-201", "location", "CREATE-21", "A 201 has a Location.", having(http.StatusCreated), func(c *call, _ *answer) {
		c.setHeader("Location", c.request.URL.Path+"/"+whole(c.pet.ID))
	}),
	headed("pages-linked", "links", "LIST-16", "A listing has Link and X-Total-Count.", on(spec.ListPets).and(succeeded), func(c *call, _ *answer) {
		c.setHeader("Link", "<"+c.request.URL.Path+`?limit=20&page=2>; rel="next", <`+c.request.URL.Path+`>; rel="first"`)
		c.setHeader("X-Total-Count", "4711")
	}),
	headed("more-headers", "more headers", "HTTP: other headers may be sent", "Answers have headers of a gateway.", always, func(c *call, _ *answer) {
		for name, value := range map[string]string{
			"Cache-Control": "no-store", "Etag": `W/"4711"`, "Vary": "Authorization", "Server": "gateway", "Strict-Transport-Security": "max-age=63072000",
			"X-Request-Id": "4711", "Set-Cookie": "route=3; Path=/; HttpOnly", "Ratelimit-Policy": `"default";q=60;w=60`, "X-Content-Type-Options": "nosniff",
		} {
			c.setHeader(name, value)
		}
	}),
	headed("cross-origin", "cross origin", "HTTP: OPTIONS is not named", "Answers may be read by pages of other origins, and OPTIONS is answered 204.", always, func(c *call, a *answer) {
		c.setHeader("Access-Control-Allow-Origin", "*")
		if c.request.Method == http.MethodOptions {
			*a = answer{status: http.StatusNoContent}
		}
	}),
}

// asciiOnly escapes characters beyond ASCII, those beyond U+FFFF as a surrogate pair.
func asciiOnly(body []byte) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(string(body))) {
		if unit < 0x80 {
			out = append(out, byte(unit))
			continue
		}
		out = append(out, `\u`...)
		for shift := 12; shift >= 0; shift -= 4 {
			out = append(out, "0123456789abcdef"[unit>>shift&15])
		}
	}
	return out
}

// compressed gives a body in gzip.
func compressed(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}
