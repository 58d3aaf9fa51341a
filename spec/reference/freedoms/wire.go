package freedoms

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// beforeWriting changes an answer just before it is sent, after every other change of it.
func beforeWriting(change func(c *Call, a *Answer)) Change {
	return func(b *Behaviour) { b.Lastly = append(b.Lastly, change) }
}

// written changes a body just before it is sent.
func written(change func(body []byte) []byte) Change {
	return beforeWriting(func(_ *Call, a *Answer) {
		if len(a.Body) > 0 {
			a.Body = change(a.Body)
		}
	})
}

// jsonAs writes the media type application/json in another form.
func jsonAs(mediaType string) Change {
	return When(func(c *Call) bool { return c.Answer.MediaType == MediaJSON }).Then(Declared(mediaType))
}

// errorMembers edits the members of every Error.
func errorMembers(edits ...Edit) Change {
	return When(func(c *Call) bool { return c.Answer.Status >= 400 }).Edit(edits...)
}

var more = map[string]string{
	"Cache-Control": "no-store", "Etag": `W/"4711"`, "Vary": "Authorization", "Server": "gateway",
	"Strict-Transport-Security": "max-age=63072000", "X-Request-Id": "4711", "Set-Cookie": "route=3; Path=/; HttpOnly",
	"Ratelimit-Policy": `"default";q=60;w=60`, "X-Content-Type-Options": "nosniff",
}

func bodyRows(t *table) {
	t.part("pretty-printed", "RFC 8259")
	t.variant("pretty-printed", "Bodies are indented.", written(indented))
	t.part("line-break-behind", "RFC 8259")
	t.variant("line-break-behind", "Bodies end in a line break.",
		written(func(body []byte) []byte { return append(body, '\n') }))
	t.part("escaped-beyond-ascii", "RFC 8259")
	t.variant("escaped-beyond-ascii", "Characters beyond ASCII are escaped.", written(asciiOnly))
	t.part("slashes-escaped", "RFC 8259")
	t.variant("slashes-escaped", "Slashes in strings are escaped.",
		written(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("/"), []byte(`\/`)) }))
	t.part("order of members", "RFC 8259: the members of an object have no order")
	t.variant("members-in-another-order", "A Pet begins with its status and ends with its id.",
		Shown.Edit(func(members []strictjson.Member) []strictjson.Member {
			slices.Reverse(members)
			return members
		}))
	t.part("more members of Pet", "Resources / Pet: other members are not excluded")
	t.variant("pet-with-more-members", "A Pet has members that the interface does not name.",
		Shown.Edit(Default("createdAt", `"2026-03-01T12:00:00Z"`), Default("tags", "[]"),
			Default("owner", "null"), Default("self", `{"href":"here"}`)))
	t.variant("pet-with-80-photos", "A Pet has the addresses of 80 photos.",
		Shown.Edit(Default("photoUrls",
			"["+strings.Repeat(`"https://cdn.example/1.jpg",`, 79)+`"https://cdn.example/80.jpg"]`)))
	t.part("more members of Error", "Resources / Error: other members are not excluded")
	t.variant("error-with-more-members", "An Error has members that the interface does not name.",
		errorMembers(Default("requestId", `"4711"`), Default("details", `[{"field":null}]`)))
	t.part("codes", "ERROR-6")
	t.variant("codes-in-words", "The code of an Error is a phrase, and the message is in German.", errorMembers(
		Changed("code", func(code string) string { return strings.ReplaceAll(code, "_", " ") }),
		Changed("message", Constant(`"Das geht so nicht. 🐾"`))))
}

func headerRows(t *table) {
	t.part("media type parameters", "RFC 9110, section 8.3.1: a media type may have parameters, and has no case")
	t.variant("charset-given", "The media type has a charset.", jsonAs("application/json; charset=utf-8"))
	t.variant("media-type-in-capitals", "The media type is written Application/JSON;charset=UTF-8.",
		jsonAs("Application/JSON;charset=UTF-8"))
	t.part("spelling of headers", "RFC 9110, section 5.1: names of headers have no case")
	t.variant("headers-in-lower-case", "The rate-limit headers are in lower case.", Always.Then(func(c *Call, _ *Answer) {
		for _, name := range []string{LimitHeader, RemainingHeader, ResetHeader, RetryAfterHeader} {
			if values, has := c.Header[name]; has {
				delete(c.Header, name)
				c.Header[strings.ToLower(name)] = values
			}
		}
	}))
	t.part("date", "RFC 9110, section 6.6.1: Date is an approximation, and a server without a clock sends none")
	t.variant("date-absent", "There is no Date.", Always.Then(func(c *Call, _ *Answer) { c.Header["Date"] = nil }))
	t.variant("date-by-a-timer", "Date is set by a timer once a second, so that it is up to 2 seconds old.",
		Always.Then(Making("Date", func(c *Call) string { return c.Now.Add(-time.Second).UTC().Format(http.TimeFormat) })))
	t.part("location", "RFC 9110, section 15.3.2: a 201 may have a Location")
	t.variant("location-on-201", "A 201 has a Location.",
		Created.Then(Making("Location", (*Call).PetPath)))
	t.part("links", "LIST-16")
	t.variant("pages-linked", "A listing has Link and X-Total-Count.",
		Lists.Then(Header("X-Total-Count", "4711"), Making("Link", func(c *Call) string {
			path := c.Request.URL.Path
			return "<" + path + `?limit=20&page=2>; rel="next", <` + path + `>; rel="first"`
		})))
	t.part("tags", "RFC 9110, section 13.1.2: who has the animals under a tag already may be answered 304")
	t.variant("tags-compared", "A listing has an ETag, and is answered 304 to a request with the same.", Lists.Then(func(c *Call, a *Answer) {
		tag := fmt.Sprintf(`"%x"`, crc32.ChecksumIEEE(a.Body))
		if c.SetHeader("Etag", tag); strings.Contains(c.Request.Header.Get("If-None-Match"), tag) {
			Replaced(http.StatusNotModified, "", "")(c, a)
		}
	}))
	t.part("more headers", "HTTP: other headers may be sent")
	t.variant("more-headers", "Answers have the headers of a gateway.", Always.Then(func(c *Call, _ *Answer) {
		for name, value := range more {
			c.SetHeader(name, value)
		}
	}))
	t.part("front", "What the service does: what stands in front of it is not of it")
	t.variant("conditions-refused-in-front",
		"What stands in front answers 403 with its own page to a key with a condition of SQL.",
		HeaderLike("Authorization", "'or'").Then(
			Replaced(403, "text/html", "<h1>Forbidden</h1>"), Lacking(LimitHeader, RemainingHeader, ResetHeader)))
	t.part("cross origin", "HTTP: OPTIONS is not named")
	t.variant("cross-origin", "Pages of other origins may read the answers, and OPTIONS is answered 204.",
		Always.Then(Header("Access-Control-Allow-Origin", "*")),
		When(func(c *Call) bool { return c.Request.Method == http.MethodOptions }).Then(Replaced(204, "", "")))
}

func connectionRows(t *table) {
	t.part("coding", "RFC 9110, section 12.5.3: a body may be compressed where that is accepted")
	t.variant("compressed", "Bodies are compressed if the client accepts gzip.", beforeWriting(compressed))
	t.part("framing", "RFC 9112, section 7.1: a body may be sent in chunks")
	t.variant("chunked", "Bodies are sent in two chunks, without a Content-Length.",
		func(b *Behaviour) {
			b.Write = func(c *Call, a Answer) { _, _ = c.Writer.Write(WriteHalf(c, a)) }
		})
	t.part("connections", "RFC 9112, section 9.6: a server may close a connection")
	t.variant("connection-closed", "The connection is closed after each answer.",
		beforeWriting(Header("Connection", "close")))
	fourth := Every(4)
	t.variant("connection-closed-now-and-then", "The connection is closed after every fourth answer that is no error.",
		beforeWriting(func(c *Call, a *Answer) {
			if a.Status < 400 && fourth(c) {
				c.SetHeader("Connection", "close")
			}
		}))
	t.part("interim responses", "RFC 9110, section 15.2: interim responses may come first")
	t.variant("early-hints", "A 103 precedes each answer to HTTP/1.1 or later.", beforeWriting(func(c *Call, _ *Answer) {
		if c.Request.ProtoAtLeast(1, 1) {
			c.Writer.WriteHeader(http.StatusEarlyHints)
		}
	}))
	t.part("pace", "How fast answers are, and how many at once, is not shown")
	t.variant("slow", "Each answer takes 50 ms.", Always.Then(func(*Call, *Answer) { time.Sleep(50 * time.Millisecond) }))
	var awake sync.Once
	t.variant("first-answer-late", "The first answer takes 3 s, as of a service that was asleep.",
		Always.Then(func(*Call, *Answer) { awake.Do(func() { time.Sleep(3 * time.Second) }) }))
	turn := make(chan struct{}, 1)
	t.variant("one-at-a-time", "Requests are answered one after the other, each in 1 ms.",
		Around(func(c *Call, next Handler) Answer {
			turn <- struct{}{}
			defer func() { <-turn }()
			time.Sleep(time.Millisecond)
			return next(c)
		}))
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

func compressed(c *Call, a *Answer) {
	c.Header["Vary"] = append(c.Header["Vary"], "Accept-Encoding")
	if !strings.Contains(c.Request.Header.Get("Accept-Encoding"), "gzip") || len(a.Body) == 0 {
		return
	}
	c.SetHeader("Content-Encoding", "gzip")
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(a.Body)
	_ = w.Close()
	a.Body = out.Bytes()
}
