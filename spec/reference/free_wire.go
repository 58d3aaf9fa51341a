package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"petconform/spec"
)

// withBody changes the answers that have a body.
func withBody(change func(*call, *answer)) func(*call, *answer) {
	return func(c *call, a *answer) {
		if len(a.body) > 0 {
			change(c, a)
		}
	}
}

// jsonAs writes the media type application/json in another form.
func jsonAs(mediaType string) func(*behaviour) {
	return always.then(func(_ *call, a *answer) {
		if a.mediaType == mediaJSON {
			a.mediaType = mediaType
		}
	})
}

// spelled writes the names of the interface's headers in another case, which means the same in HTTP.
func spelled(spelling func(string) string) func(*behaviour) {
	return always.then(func(c *call, _ *answer) {
		for _, name := range []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset, spec.HeaderRetryAfter} {
			canonical := http.CanonicalHeaderKey(name)
			if values, has := c.header[canonical]; has {
				delete(c.header, canonical)
				c.header[spelling(name)] = values
			}
		}
	})
}

// errorMembers edits the members of every Error.
func errorMembers(change edit) func(*behaviour) {
	return when(func(_ *call, a *answer) bool { return a.status >= 400 }).then(edited(change))
}

var wireFreedoms = slices.Concat(bodyWireFreedoms, headerFreedoms, framingFreedoms)

var bodyWireFreedoms = variants(open("RFC 8259"))(
	variant("pretty-printed", "Bodies are indented.",
		beforeWriting(withBody(rewritten(indented))), part("pretty-printed")),
	variant("line-break-behind", "Bodies end in a line break.",
		beforeWriting(withBody(surrounded("", "\n"))), part("line-break-behind")),
	variant("escaped-beyond-ascii", "Characters beyond ASCII are escaped.",
		beforeWriting(withBody(rewritten(asciiOnly))), part("escaped-beyond-ascii")),
	variant("slashes-escaped", "Slashes in strings are escaped.",
		beforeWriting(withBody(substituted("/", `\/`))), part("slashes-escaped")),
	variant("members-in-another-order", "A Pet begins with its status and ends with its id.",
		members(showing, func(fields []field) []field {
			slices.Reverse(fields)
			return fields
		}), part("order of members"), open("RFC 8259: the members of an object have no order")),
	variant("pet-with-more-members", "A Pet has members that the interface does not name.",
		members(showing, adding(field{"createdAt", `"2026-03-01T12:00:00Z"`}, field{"tags", "[]"}, field{"owner", "null"}, field{"self", `{"href":"here"}`})),
		part("more members of Pet"), open("Resources / Pet: other members are not excluded")),
	variant("error-with-more-members", "An Error has members that the interface does not name.",
		errorMembers(adding(field{"requestId", `"4711"`}, field{"details", `[{"field":null}]`})),
		part("more members of Error"), open("Resources / Error: other members are not excluded")),
	variant("codes-like-numbers", "The code of an Error is a string of digits.",
		errorMembers(changed("code", func(code string) string {
			return strconv.Quote(strconv.Itoa(4000 + len(code)))
		})), part("codes"), open("ERROR-6")),
	variant("codes-in-words", "The code of an Error is a phrase, and the message is in German.",
		errorMembers(both(changed("code", func(code string) string { return strings.ReplaceAll(code, "_", " ") }),
			valued("message", `"Das geht so nicht. 🐾"`))), part("codes"), open("ERROR-6")),
)

var headerFreedoms = variants()(
	variant("charset-given", "The media type has a charset.",
		jsonAs("application/json; charset=utf-8"),
		part("media type parameters"), open("What the service does: a media type may have parameters")),
	variant("media-type-in-capitals", "The media type is written Application/JSON;charset=UTF-8.",
		jsonAs("Application/JSON;charset=UTF-8"),
		part("media type parameters"), open("RFC 9110, section 8.3.1: media types have no case")),
	variant("headers-in-lower-case", "The names of the headers are in lower case.",
		spelled(strings.ToLower),
		part("spelling of headers"), open("RFC 9110, section 5.1: names of headers have no case")),
	variant("headers-as-documented", "The names of the headers are written as in the interface.",
		spelled(strings.Clone),
		part("spelling of headers"), open("RFC 9110, section 5.1: names of headers have no case")),
	variant("date-absent", "There is no Date.",
		always.then(func(c *call, _ *answer) { c.header["Date"] = nil }),
		part("date"), open("RFC 9110, section 6.6.1: a server without a clock sends no Date")),
	variant("location-on-201", "A 201 has a Location.",
		created(func(c *call, _ *answer) { c.setHeader("Location", petPath(c)) }), part("location"), open("CREATE-21")),
	variant("pages-linked", "A listing has Link and X-Total-Count.",
		lists.then(func(c *call, _ *answer) {
			c.setHeader("Link", "<"+c.request.URL.Path+`?limit=20&page=2>; rel="next", <`+c.request.URL.Path+`>; rel="first"`)
			c.setHeader("X-Total-Count", "4711")
		}),
		part("links"), open("LIST-16")),
	variant("more-headers", "Answers have the headers of a gateway.",
		always.then(func(c *call, _ *answer) {
			for name, value := range map[string]string{
				"Cache-Control": "no-store", "Etag": `W/"4711"`, "Vary": "Authorization", "Server": "gateway", "Strict-Transport-Security": "max-age=63072000",
				"X-Request-Id": "4711", "Set-Cookie": "route=3; Path=/; HttpOnly", "Ratelimit-Policy": `"default";q=60;w=60`, "X-Content-Type-Options": "nosniff",
			} {
				c.setHeader(name, value)
			}
		}),
		part("more headers"), open("HTTP: other headers may be sent")),
	variant("cross-origin", "Pages of other origins may read the answers, and OPTIONS is answered 204.",
		always.then(func(c *call, a *answer) {
			c.setHeader("Access-Control-Allow-Origin", "*")
			if c.request.Method == http.MethodOptions {
				*a = answer{status: http.StatusNoContent}
			}
		}), part("cross origin"), open("HTTP: OPTIONS is not named")),
)

func indented(body []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return out.Bytes()
}

// asciiOnly escapes characters beyond ASCII, those beyond U+FFFF as a surrogate pair.
func asciiOnly(body []byte) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(string(body))) {
		if unit < 0x80 {
			out = append(out, byte(unit))
		} else {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func compressed(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}

// beforeWriting changes an answer just before it is sent, after every other change of it.
func beforeWriting(change func(c *call, a *answer)) func(*behaviour) {
	return func(b *behaviour) { b.lastly = append(b.lastly, change) }
}

var framingFreedoms = variants()(
	variant("compressed", "Bodies are compressed if the client accepts gzip.", beforeWriting(func(c *call, a *answer) {
		c.header["Vary"] = append(c.header["Vary"], "Accept-Encoding")
		if strings.Contains(c.request.Header.Get("Accept-Encoding"), "gzip") && len(a.body) > 0 {
			c.setHeader("Content-Encoding", "gzip")
			a.body = compressed(a.body)
		}
	}), part("coding"), open("RFC 9110, section 12.5.3: a body may be compressed where that is accepted")),
	variant("chunked", "Bodies are sent in two chunks, without a Content-Length.",
		func(b *behaviour) { b.write = writeChunked },
		part("framing"), open("RFC 9112, section 7.1: a body may be sent in chunks")),
	variant("connection-closed", "The connection is closed after each answer.",
		beforeWriting(func(c *call, _ *answer) { c.setHeader("Connection", "close") }),
		part("connections"), open("RFC 9112, section 9.6: a server may close a connection")),
	variant("connection-closed-now-and-then", "The connection is closed after every fourth answer that is no error.",
		beforeWriting(func(c *call, a *answer) {
			if a.status < 400 && byFourth(c, a) {
				c.setHeader("Connection", "close")
			}
		}), part("connections"), open("RFC 9112, section 9.6: a server may close a connection")),
	variant("early-hints", "A 103 precedes each answer to HTTP/1.1 or later.", beforeWriting(func(c *call, _ *answer) {
		if c.request.ProtoAtLeast(1, 1) {
			c.writer.WriteHeader(http.StatusEarlyHints)
		}
	}), part("interim responses"), open("RFC 9110, section 15.2: interim responses may come first")),
	variant("slow", "Each answer takes 50 ms.",
		always.then(func(*call, *answer) { time.Sleep(50 * time.Millisecond) }),
		part("pace"), open("How fast answers are is not shown")),
	variant("one-at-a-time", "Requests are answered one after the other, each in 1 ms.", func(b *behaviour) {
		turn := make(chan struct{}, 1)
		around(func(c *call, next handler) answer {
			turn <- struct{}{}
			defer func() { <-turn }()
			time.Sleep(time.Millisecond)
			return next(c)
		})(b)
	}, part("pace"), open("How many requests are served at once is not shown")),
)

var byFourth = every(4)

// writeChunked sends a body in two chunks.
func writeChunked(c *call, a answer) {
	c.header["Content-Type"] = nil
	if a.mediaType != "" {
		c.header["Content-Type"] = []string{a.mediaType}
	}
	c.writer.WriteHeader(a.status)
	if a.status == http.StatusNoContent {
		return
	}
	half := len(a.body) / 2
	_, _ = c.writer.Write(a.body[:half])
	_ = http.NewResponseController(c.writer).Flush()
	_, _ = c.writer.Write(a.body[half:])
}
