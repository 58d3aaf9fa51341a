package freedoms

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// withBody changes the answers that have a body.
func withBody(change func(*Call, *Answer)) func(*Call, *Answer) {
	return func(c *Call, a *Answer) {
		if len(a.Body) > 0 {
			change(c, a)
		}
	}
}

// jsonAs writes the media type application/json in another form.
func jsonAs(mediaType string) Change {
	return Always.Then(func(_ *Call, a *Answer) {
		if a.MediaType == MediaJSON {
			a.MediaType = mediaType
		}
	})
}

// spelled writes the names of the interface's headers in another case, which means the same in HTTP.
func spelled(spelling func(string) string) Change {
	return Always.Then(func(c *Call, _ *Answer) {
		for _, name := range []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset, spec.HeaderRetryAfter} {
			canonical := http.CanonicalHeaderKey(name)
			if values, has := c.Header[canonical]; has {
				delete(c.Header, canonical)
				c.Header[spelling(name)] = values
			}
		}
	})
}

// errorMembers edits the members of every Error.
func errorMembers(change Edit) Change {
	return When(func(_ *Call, a *Answer) bool { return a.Status >= 400 }).Then(Edited(change))
}

var wireRows = slices.Concat(bodyWireRows, headerRows, framingRows)

var bodyWireRows = variants(open("RFC 8259"))(
	variant("pretty-printed", "Bodies are indented.",
		beforeWriting(withBody(Rewritten(indented))), part("pretty-printed")),
	variant("line-break-behind", "Bodies end in a line break.",
		beforeWriting(withBody(Surrounded("", "\n"))), part("line-break-behind")),
	variant("escaped-beyond-ascii", "Characters beyond ASCII are escaped.",
		beforeWriting(withBody(Rewritten(asciiOnly))), part("escaped-beyond-ascii")),
	variant("slashes-escaped", "Slashes in strings are escaped.",
		beforeWriting(withBody(Substituted("/", `\/`))), part("slashes-escaped")),
	variant("members-in-another-order", "A Pet begins with its status and ends with its id.",
		Members(Showing, func(fields []Field) []Field {
			slices.Reverse(fields)
			return fields
		}), part("order of members"), open("RFC 8259: the members of an object have no order")),
	variant("pet-with-more-members", "A Pet has members that the interface does not name.",
		Members(Showing, Adding(Pair("createdAt", `"2026-03-01T12:00:00Z"`), Pair("tags", "[]"),
			Pair("owner", "null"), Pair("self", `{"href":"here"}`))),
		part("more members of Pet"), open("Resources / Pet: other members are not excluded")),
	variant("error-with-more-members", "An Error has members that the interface does not name.",
		errorMembers(Adding(Pair("requestId", `"4711"`), Pair("details", `[{"field":null}]`))),
		part("more members of Error"), open("Resources / Error: other members are not excluded")),
	variant("codes-like-numbers", "The code of an Error is a string of digits.",
		errorMembers(Changed("code", func(code string) string {
			return strconv.Quote(strconv.Itoa(4000 + len(code)))
		})), part("codes"), open("ERROR-6")),
	variant("codes-in-words", "The code of an Error is a phrase, and the message is in German.",
		errorMembers(Both(Changed("code", func(code string) string { return strings.ReplaceAll(code, "_", " ") }),
			Valued("message", `"Das geht so nicht. 🐾"`))), part("codes"), open("ERROR-6")),
)

var headerRows = variants()(
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
		Always.Then(func(c *Call, _ *Answer) { c.Header["Date"] = nil }),
		part("date"), open("RFC 9110, section 6.6.1: a server without a clock sends no Date")),
	variant("location-on-201", "A 201 has a Location.",
		Created(func(c *Call, _ *Answer) { c.SetHeader("Location", PetPath(c)) }), part("location"), open("CREATE-21")),
	variant("pages-linked", "A listing has Link and X-Total-Count.",
		Lists.Then(func(c *Call, _ *Answer) {
			c.SetHeader("Link", "<"+c.Request.URL.Path+`?limit=20&page=2>; rel="next", <`+c.Request.URL.Path+`>; rel="first"`)
			c.SetHeader("X-Total-Count", "4711")
		}),
		part("links"), open("LIST-16")),
	variant("more-headers", "Answers have the headers of a gateway.", Always.Then(func(c *Call, _ *Answer) {
		for name, value := range map[string]string{
			"Cache-Control": "no-store", "Etag": `W/"4711"`, "Vary": "Authorization", "Server": "gateway",
			"Strict-Transport-Security": "max-age=63072000", "X-Request-Id": "4711",
			"Set-Cookie": "route=3; Path=/; HttpOnly", "Ratelimit-Policy": `"default";q=60;w=60`,
			"X-Content-Type-Options": "nosniff",
		} {
			c.SetHeader(name, value)
		}
	}), part("more headers"), open("HTTP: other headers may be sent")),
	variant("conditions-refused-in-front", "What stands in front answers 403 with its own page to a key with a condition of SQL.",
		Always.And(Calls(func(c *Call) bool { return strings.Contains(c.Request.Header.Get("Authorization"), "'or'") })).Then(
			func(c *Call, a *Answer) {
				Replaced(http.StatusForbidden, "text/html", "<h1>Forbidden</h1>")(c, a)
				Lacking("X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset")(c, a)
			}), part("front"), open("What the service does: what stands in front of it is not of it")),
	variant("cross-origin", "Pages of other origins may read the answers, and OPTIONS is answered 204.",
		Always.Then(func(c *Call, a *Answer) {
			c.SetHeader("Access-Control-Allow-Origin", "*")
			if c.Request.Method == http.MethodOptions {
				*a = Answer{Status: http.StatusNoContent}
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
func beforeWriting(change func(c *Call, a *Answer)) Change {
	return func(b *Behaviour) { b.Lastly = append(b.Lastly, change) }
}

var framingRows = variants()(
	variant("compressed", "Bodies are compressed if the client accepts gzip.", beforeWriting(func(c *Call, a *Answer) {
		c.Header["Vary"] = append(c.Header["Vary"], "Accept-Encoding")
		if strings.Contains(c.Request.Header.Get("Accept-Encoding"), "gzip") && len(a.Body) > 0 {
			c.SetHeader("Content-Encoding", "gzip")
			a.Body = compressed(a.Body)
		}
	}), part("coding"), open("RFC 9110, section 12.5.3: a body may be compressed where that is accepted")),
	variant("chunked", "Bodies are sent in two chunks, without a Content-Length.",
		func(b *Behaviour) { b.Write = writeChunked },
		part("framing"), open("RFC 9112, section 7.1: a body may be sent in chunks")),
	variant("connection-closed", "The connection is closed after each answer.",
		beforeWriting(func(c *Call, _ *Answer) { c.SetHeader("Connection", "close") }),
		part("connections"), open("RFC 9112, section 9.6: a server may close a connection")),
	variant("connection-closed-now-and-then", "The connection is closed after every fourth answer that is no error.",
		beforeWriting(func(c *Call, a *Answer) {
			if a.Status < 400 && byFourth(c, a) {
				c.SetHeader("Connection", "close")
			}
		}), part("connections"), open("RFC 9112, section 9.6: a server may close a connection")),
	variant("early-hints", "A 103 precedes each answer to HTTP/1.1 or later.", beforeWriting(func(c *Call, _ *Answer) {
		if c.Request.ProtoAtLeast(1, 1) {
			c.Writer.WriteHeader(http.StatusEarlyHints)
		}
	}), part("interim responses"), open("RFC 9110, section 15.2: interim responses may come first")),
	variant("slow", "Each answer takes 50 ms.",
		Always.Then(func(*Call, *Answer) { time.Sleep(50 * time.Millisecond) }),
		part("pace"), open("How fast answers are is not shown")),
	variant("first-answer-late", "The first answer takes 3 s, as of a service that was asleep.", func(b *Behaviour) {
		var awake sync.Once
		Always.Then(func(*Call, *Answer) { awake.Do(func() { time.Sleep(3 * time.Second) }) })(b)
	}, part("pace"), open("How fast answers are is not shown")),
	variant("one-at-a-time", "Requests are answered one after the other, each in 1 ms.", func(b *Behaviour) {
		turn := make(chan struct{}, 1)
		Around(func(c *Call, next Handler) Answer {
			turn <- struct{}{}
			defer func() { <-turn }()
			time.Sleep(time.Millisecond)
			return next(c)
		})(b)
	}, part("pace"), open("How many requests are served at once is not shown")),
)

var byFourth = Every(4)

// writeChunked sends a body in two chunks.
func writeChunked(c *Call, a Answer) {
	c.Header["Content-Type"] = nil
	if a.MediaType != "" {
		c.Header["Content-Type"] = []string{a.MediaType}
	}
	c.Writer.WriteHeader(a.Status)
	if a.Status == http.StatusNoContent {
		return
	}
	half := len(a.Body) / 2
	_, _ = c.Writer.Write(a.Body[:half])
	_ = http.NewResponseController(c.Writer).Flush()
	_, _ = c.Writer.Write(a.Body[half:])
}
