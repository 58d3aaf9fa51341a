package reference

import (
	"net/http"
	"strings"
	"time"
)

// framing makes a freedom that sends answers otherwise. It wraps the writing, so it comes after everything else.
func framing(name, part, clause, says string, wrap func(write func(*call, answer)) func(*call, answer)) Freedom {
	return Freedom{
		Name: name, Open: open(clause), Says: says, Part: part,
		apply: func(b *behaviour) { b.write = wrap(b.write) },
	}
}

func acceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

var framingFreedoms = []Freedom{
	framing("compressed", "coding", "RFC 9110, section 12.5.3: a body may be compressed where that is accepted", "Bodies are compressed where the client accepts gzip.",
		func(write func(*call, answer)) func(*call, answer) {
			return func(c *call, a answer) {
				c.header["Vary"] = append(c.header["Vary"], "Accept-Encoding")
				if acceptsGzip(c.request) && len(a.body) > 0 {
					c.setHeader("Content-Encoding", "gzip")
					a.body = compressed(a.body)
				}
				write(c, a)
			}
		}),
	framing("chunked", "framing", "RFC 9112, section 7.1: a body may be sent in chunks", "Bodies come in chunks, without a length.",
		func(func(*call, answer)) func(*call, answer) { return writeChunked }),
	framing("connection-closed", "connections", "RFC 9112, section 9.6: a server may close a connection", "Each answer closes its connection.",
		func(write func(*call, answer)) func(*call, answer) {
			return func(c *call, a answer) {
				c.setHeader("Connection", "close")
				write(c, a)
			}
		}),
	framing("early-hints", "interim responses", "RFC 9110, section 15.2: interim responses may come first", "A 103 comes before each answer.",
		func(write func(*call, answer)) func(*call, answer) {
			return func(c *call, a answer) {
				c.writer.WriteHeader(http.StatusEarlyHints)
				write(c, a)
			}
		}),
	{
		Name: "slow", Open: open("How fast answers are is not shown"), Part: "pace",
		Says: "Each answer takes 50 ms.",
		apply: func(b *behaviour) {
			b.alter(always, func(*call, *answer) { time.Sleep(50 * time.Millisecond) })
		},
	},
	{
		Name: "one-at-a-time", Open: open("How many requests are served at once is not shown"), Part: "pace",
		Says: "Requests are answered one after the other, each in a millisecond.",
		apply: func(b *behaviour) {
			turn := make(chan struct{}, 1)
			b.around = append(b.around, func(next handler) handler {
				return func(c *call) answer {
					turn <- struct{}{}
					defer func() { <-turn }()
					time.Sleep(time.Millisecond)
					return next(c)
				}
			})
		},
	},
}

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
