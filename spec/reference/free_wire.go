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

// withBody selects the answers that have a body.
var withBody when = func(_ *call, a *answer) bool { return len(a.body) > 0 }

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

// adding puts members behind those that are there.
func adding(more ...field) edit {
	return func(fields []field) []field { return append(fields, more...) }
}

// worded changes the code and the message of every Error.
func worded(code, message func(e spec.Error) string) func(*behaviour) {
	return writeError(always, func(e spec.Error, fields []field) []field {
		return valued("code", quoted(code(e)))(valued("message", quoted(message(e)))(fields))
	})
}

var wireFreedoms = slices.Concat(bodyWireFreedoms, headerFreedoms, framingFreedoms)

var bodyWireFreedoms = variants(Freedom{Open: open("RFC 8259")}, []Freedom{
	{Name: "pretty-printed", Part: "pretty-printed", Says: "Bodies are indented.", apply: withBody.then(rewritten(indented))},
	{Name: "line-break-behind", Part: "line-break-behind", Says: "Bodies end in a line break.", apply: withBody.then(surrounded("", "\n"))},
	{Name: "escaped-beyond-ascii", Part: "escaped-beyond-ascii", Says: "Characters beyond ASCII are escaped.", apply: withBody.then(rewritten(asciiOnly))},
	{Name: "slashes-escaped", Part: "slashes-escaped", Says: "Slashes in strings are escaped.", apply: withBody.then(substituted("/", `\/`))},
	{Name: "members-in-another-order", Part: "order of members", Open: open("RFC 8259: the members of an object have no order"), Says: "A Pet begins with its status and ends with its id.",
		apply: members(showing, func(fields []field) []field {
			slices.Reverse(fields)
			return fields
		})},
	{Name: "pet-with-more-members", Part: "more members of Pet", Open: open("Resources / Pet: other members are not excluded"), Says: "A Pet has members that the interface does not name.",
		apply: members(showing, adding(field{"createdAt", `"2026-03-01T12:00:00Z"`}, field{"tags", "[]"}, field{"owner", "null"}, field{"self", `{"href":"here"}`}))},
	{Name: "error-with-more-members", Part: "more members of Error", Open: open("Resources / Error: other members are not excluded"), Says: "An Error has members that the interface does not name.",
		apply: writeError(always, func(_ spec.Error, fields []field) []field {
			return adding(field{"requestId", `"4711"`}, field{"details", `[{"field":null}]`})(fields)
		})},
	{Name: "codes-like-numbers", Part: "codes", Open: open("ERROR-6"), Says: "The code of an Error is a string of digits.",
		apply: worded(func(e spec.Error) string { return strconv.Itoa(e.Status*100 + len(e.Code)) }, func(e spec.Error) string { return e.Message })},
	{Name: "codes-in-words", Part: "codes", Open: open("ERROR-6"), Says: "The code of an Error is a phrase, and the message is in German.",
		apply: worded(func(e spec.Error) string { return http.StatusText(e.Status) }, func(spec.Error) string { return "Das geht so nicht. 🐾" })},
})

var headerFreedoms = []Freedom{
	{Name: "charset-given", Part: "media type parameters", Open: open("What the service does: a media type may have parameters"), Says: "The media type has a charset.",
		apply: jsonAs("application/json; charset=utf-8")},
	{Name: "media-type-in-capitals", Part: "media type parameters", Open: open("RFC 9110, section 8.3.1: media types have no case"), Says: "The media type is written Application/JSON;charset=UTF-8.",
		apply: jsonAs("Application/JSON;charset=UTF-8")},
	{Name: "headers-in-lower-case", Part: "spelling of headers", Open: open("RFC 9110, section 5.1: names of headers have no case"), Says: "The names of the headers are in lower case.",
		apply: spelled(strings.ToLower)},
	{Name: "headers-as-documented", Part: "spelling of headers", Open: open("RFC 9110, section 5.1: names of headers have no case"), Says: "The names of the headers are written as in the interface.",
		apply: spelled(strings.Clone)},
	{Name: "date-absent", Part: "date", Open: open("RFC 9110, section 6.6.1: a server without a clock sends no Date"), Says: "There is no Date.",
		apply: always.then(func(c *call, _ *answer) { c.header["Date"] = nil })},
	{Name: "location-on-201", Part: "location", Open: open("CREATE-21"), Says: "A 201 has a Location.",
		apply: created(func(c *call, _ *answer) { c.setHeader("Location", petPath(c)) })},
	{Name: "pages-linked", Part: "links", Open: open("LIST-16"), Says: "A listing has Link and X-Total-Count.", apply: on(spec.ListPets).and(succeeded).then(func(c *call, _ *answer) {
		c.setHeader("Link", "<"+c.request.URL.Path+`?limit=20&page=2>; rel="next", <`+c.request.URL.Path+`>; rel="first"`)
		c.setHeader("X-Total-Count", "4711")
	})},
	{Name: "more-headers", Part: "more headers", Open: open("HTTP: other headers may be sent"), Says: "Answers have the headers of a gateway.", apply: always.then(func(c *call, _ *answer) {
		for name, value := range map[string]string{
			"Cache-Control": "no-store", "Etag": `W/"4711"`, "Vary": "Authorization", "Server": "gateway", "Strict-Transport-Security": "max-age=63072000",
			"X-Request-Id": "4711", "Set-Cookie": "route=3; Path=/; HttpOnly", "Ratelimit-Policy": `"default";q=60;w=60`, "X-Content-Type-Options": "nosniff",
		} {
			c.setHeader(name, value)
		}
	})},
	{Name: "cross-origin", Part: "cross origin", Open: open("HTTP: OPTIONS is not named"), Says: "Pages of other origins may read the answers, and OPTIONS is answered 204.",
		apply: always.then(func(c *call, a *answer) {
			c.setHeader("Access-Control-Allow-Origin", "*")
			if c.request.Method == http.MethodOptions {
				*a = answer{status: http.StatusNoContent}
			}
		})},
}

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

// beforeWriting runs prepare just before an answer is sent, after every other change of it.
func beforeWriting(prepare func(c *call, a *answer)) func(*behaviour) {
	return func(b *behaviour) {
		write := b.write
		b.write = func(c *call, a answer) {
			prepare(c, &a)
			write(c, a)
		}
	}
}

var framingFreedoms = []Freedom{
	{Name: "compressed", Part: "coding", Open: open("RFC 9110, section 12.5.3: a body may be compressed where that is accepted"), Says: "Bodies are compressed if the client accepts gzip.",
		apply: beforeWriting(func(c *call, a *answer) {
			c.header["Vary"] = append(c.header["Vary"], "Accept-Encoding")
			if strings.Contains(c.request.Header.Get("Accept-Encoding"), "gzip") && len(a.body) > 0 {
				c.setHeader("Content-Encoding", "gzip")
				a.body = compressed(a.body)
			}
		})},
	{Name: "chunked", Part: "framing", Open: open("RFC 9112, section 7.1: a body may be sent in chunks"), Says: "Bodies are sent in two chunks, without a Content-Length.",
		apply: func(b *behaviour) { b.write = writeChunked }},
	{Name: "connection-closed", Part: "connections", Open: open("RFC 9112, section 9.6: a server may close a connection"), Says: "The connection is closed after each answer.",
		apply: beforeWriting(func(c *call, _ *answer) { c.setHeader("Connection", "close") })},
	{Name: "connection-closed-now-and-then", Part: "connections", Open: open("RFC 9112, section 9.6: a server may close a connection"),
		Says: "The connection is closed after every fourth answer that is no error.",
		apply: beforeWriting(func(c *call, a *answer) {
			if a.status < 400 && byFourth(c, a) {
				c.setHeader("Connection", "close")
			}
		})},
	{Name: "early-hints", Part: "interim responses", Open: open("RFC 9110, section 15.2: interim responses may come first"), Says: "A 103 precedes each answer to HTTP/1.1 or later.",
		apply: beforeWriting(func(c *call, _ *answer) {
			if c.request.ProtoAtLeast(1, 1) {
				c.writer.WriteHeader(http.StatusEarlyHints)
			}
		})},
	{Name: "slow", Part: "pace", Open: open("How fast answers are is not shown"), Says: "Each answer takes 50 ms.",
		apply: always.then(func(*call, *answer) { time.Sleep(50 * time.Millisecond) })},
	{Name: "one-at-a-time", Part: "pace", Open: open("How many requests are served at once is not shown"), Says: "Requests are answered one after the other, each in 1 ms.",
		apply: func(b *behaviour) {
			turn := make(chan struct{}, 1)
			around(func(c *call, next handler) answer {
				turn <- struct{}{}
				defer func() { <-turn }()
				time.Sleep(time.Millisecond)
				return next(c)
			})(b)
		}},
}

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
