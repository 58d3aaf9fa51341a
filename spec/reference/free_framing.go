package reference

import (
	"net/http"
	"strings"
	"time"
)

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
