package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec/verdict"
)

// wrap returns what a target does. key is the API key of the run.
type wrap func(reference http.Handler, key string) http.Handler

// hostile is a target that misbehaves. It answers with the reference service where it does not.
type hostile struct {
	name string
	wrap wrap
	// hasty says that the time-outs are scaled, for a target that hangs. Its run waits more than it computes.
	hasty bool
	// says is a part of what the run prints.
	says string
	// leak says that the target echoes the key, so that the run has to warn.
	leak bool
	// want is the verdict of the run.
	want verdict.Run
}

// always answers everything with one function.
func always(answer http.HandlerFunc) wrap {
	return func(http.Handler, string) http.Handler { return answer }
}

// from answers like the reference service at first, and with one function from the nth request on.
func from(n int64, answer http.HandlerFunc) wrap {
	return func(reference http.Handler, _ string) http.Handler {
		var seen atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) >= n {
				answer(w, r)
				return
			}
			reference.ServeHTTP(w, r)
		})
	}
}

// raw writes bytes to the connection and closes it.
func raw(text string) http.HandlerFunc {
	return connected(func(c net.Conn) { _, _ = io.WriteString(c, text) })
}

// connected gives the connection to a function, and closes it afterwards.
func connected(write func(net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		write(c)
	}
}

// repeated writes a text again and again until the connection ends.
func repeated(head, text string, pause time.Duration) http.HandlerFunc {
	return connected(func(c net.Conn) {
		_, err := io.WriteString(c, head)
		for err == nil {
			_, err = io.WriteString(c, text)
			time.Sleep(pause)
		}
	})
}

// json200 answers 200 with a body and the headers of the interface.
func json200(body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("X-RateLimit-Limit", "1000")
		h.Set("X-RateLimit-Remaining", "1000") // not below Limit, so that the run does not look whether it goes down later
		h.Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Unix()+60))
		for i := 0; i+1 < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		_, _ = io.WriteString(w, body)
	}
}

// squeezed compresses, many times over if a body is a repetition.
func squeezed(text string, times int) string {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	for range times {
		_, _ = io.WriteString(zw, text)
	}
	_ = zw.Close()
	return b.String()
}

// altered answers like the reference service, with each body changed.
func altered(change func(body string) string, headers ...string) wrap {
	return func(reference http.Handler, _ string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			k := httptest.NewRecorder()
			reference.ServeHTTP(k, r)
			maps.Copy(w.Header(), k.Header())
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.Header().Del("Content-Length")
			w.WriteHeader(k.Code)
			_, _ = io.WriteString(w, change(k.Body.String()))
		})
	}
}

func same200(body string) string { return body }

// keyed makes a target that knows the key.
func keyed(target func(key string) wrap) wrap {
	return func(reference http.Handler, key string) http.Handler { return target(key)(reference, key) }
}

func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func limitedForAYear(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "31536000")
	w.WriteHeader(http.StatusTooManyRequests)
}

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// timeTargets try to take time. For the hasty ones --timeout is 500ms instead of 30s, so that 75 s of stalls are
// 1.25 s. TestBounds of the client holds it to the real ones, on a clock of its own.
func timeTargets() []hostile {
	return []hostile{
		{hasty: true, name: "hangs on every request", want: verdict.NoVerdict, wrap: always(hang), says: "no service to judge"},
		{hasty: true, name: "hangs from the 20th request on", want: verdict.NoVerdict, wrap: from(20, hang), says: "NO VERDICT"},
		{hasty: true, name: "drips headers", want: verdict.NoVerdict, wrap: always(repeated("HTTP/1.1 200 OK\r\n", "X-A: b\r\n", 10*time.Millisecond)), says: "no service to judge"},
		{hasty: true, name: "drips a body", want: verdict.NoVerdict, wrap: from(10, repeated(okHead+"Content-Length: 100000\r\n\r\n[", " ", 10*time.Millisecond)), says: "NO VERDICT"},
		{hasty: true, name: "sends 1xx without end", want: verdict.NoVerdict, wrap: always(repeated("", "HTTP/1.1 102 Processing\r\n\r\n", 0)), says: "no service to judge"},
		{hasty: true, name: "429 with Retry-After of a year", want: verdict.Deviates, wrap: from(10, limitedForAYear), says: "--max-wait"},
		{name: "redirects to itself", want: verdict.Deviates, wrap: always(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), says: "LIST-1"},
		{name: "closes from the 30th request on", want: verdict.NoVerdict, wrap: from(30, raw(""))},
	}
}

// framingTargets break HTTP. One that closes each connection from some request on has an outage, and makes no verdict unless the head
// of a response that it cuts off deviates. Bytes that are not HTTP are a fault of the service, if it gave responses before.
func framingTargets() []hostile {
	return []hostile{
		{name: "status 000", want: verdict.NoVerdict, wrap: always(raw("HTTP/1.1 000 Nothing\r\n\r\n"))},
		{name: "a status line of 1 MiB", want: verdict.NoVerdict, wrap: always(raw("HTTP/1.1 200 " + strings.Repeat("O", 1<<20) + "\r\n\r\n"))},
		{name: "a length that is too long", want: verdict.Deviates, wrap: from(10, raw(okHead+"Content-Length: 1000\r\n\r\n[]"))},
		{name: "two lengths", want: verdict.Deviates, wrap: from(10, raw(okHead+"Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]")), says: "SERVICE-3"},
		{name: "chunks that are garbage", want: verdict.Deviates, wrap: from(10, raw(okHead+"Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n")), says: "SERVICE-3"},
		{name: "trailers without end", want: verdict.Deviates, wrap: from(10, repeated(okHead+"Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\n[]\r\n0\r\n", "X-T: "+strings.Repeat("t", 1000)+"\r\n", 0))},
		{name: "10,000 headers", want: verdict.Deviates, wrap: from(10, raw(okHead+strings.Repeat("X-Bomb: 0123456789\r\n", 10_000)+"Content-Length: 2\r\n\r\n[]"))},
		{name: "redirects to 240 KB of \\xff", want: verdict.Deviates, wrap: always(raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + strings.Repeat("\xff", 240<<10) + "\r\n\r\n")), says: "LIST-1"},
	}
}

// bodyTargets try to take memory and disk.
func bodyTargets() []hostile {
	bomb := squeezed(strings.Repeat("\x00", 1<<20), 100)
	var many, members strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&many, `,{"id":%d,"name":"Rex","categoryId":1}`, i+1)
		fmt.Fprintf(&members, `,"member-%d":%d`, i, i)
	}
	grow := func(text string) func(string) string {
		return func(body string) string { return strings.Replace(body, "{", "{"+text+",", 1) }
	}
	return []hostile{
		{name: "an endless body", want: verdict.Deviates, wrap: from(3, repeated(okHead+"\r\n[", strings.Repeat(`"`+strings.Repeat("x", 253)+`",`, 1<<8), 0)), says: "LIST-4"},
		{name: "a compressed bomb of NULs", want: verdict.Deviates, wrap: always(json200(bomb, "Content-Encoding", "gzip")), says: "AUTH-2"},
		{name: "a bomb within a bomb", want: verdict.Deviates, wrap: always(json200(squeezed(bomb, 1), "Content-Encoding", "gzip"))},
		{name: "1 MiB of <", want: verdict.Deviates, wrap: always(json200(`["` + strings.Repeat("<", 1<<20-10) + `"]`))},
		{name: "1 MiB of empty objects", want: verdict.Deviates, wrap: always(json200("[" + strings.Repeat("{},", 340_000) + "{}]"))},
		{name: "60,000 members in each body", want: verdict.NoVerdict, wrap: altered(grow(members.String()[1:]))},
		{name: "a listing of 25,000 animals", want: verdict.Deviates, wrap: always(json200("[" + many.String()[1:1_000_000] + `"}]`)), says: "LIST-4"},
		{name: "100,000 levels deep", want: verdict.Deviates, wrap: from(3, json200(strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))), says: "AUTH-2"},
		{name: "4,000 levels deep in each animal", want: verdict.Conforms, wrap: altered(grow(`"deep":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000)))},
		{name: "a number of 1 MB", want: verdict.NoVerdict, wrap: altered(grow(`"big":1` + strings.Repeat("0", 1_000_000)))},
		{name: "1e999999999 as an id", want: verdict.Deviates, wrap: altered(func(body string) string { return strings.Replace(body, `"id":`, `"id":1e999999999,"was":`, 1) })},
	}
}
