package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// loadTargets misbehave under load.
func loadTargets() []hostile {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	bomb := squeezed(strings.Repeat("\x00", 1<<20), 100)
	return []hostile{
		{name: "hangs on every request", want: verdict.NoVerdict, wrap: always(hang), says: "the first got no response"},
		{name: "hangs from the 10th request on", want: verdict.NoVerdict, wrap: from(10, hang), says: "RATE-6 is inconclusive"},
		{name: "drips headers", want: verdict.NoVerdict, wrap: always(repeated("HTTP/1.1 200 OK\r\n", "X-A: b\r\n", 10*time.Millisecond)), says: "the first got no response"},
		{name: "an endless body", want: verdict.Deviates, wrap: from(10, repeated(okHead+"\r\n[", strings.Repeat(" ", 1<<15), 0)), says: "RATE-1"},
		{name: "a compressed bomb", want: verdict.NoVerdict, wrap: altered(func(string) string { return bomb }, "Content-Encoding", "gzip"), says: "NO VERDICT"},
		{name: "status 000", want: verdict.Deviates, wrap: from(10, connected(func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 000 Nothing\r\n\r\n")) })), says: "RATE-"},
		{name: "echoes the key: a header's name", want: verdict.NoVerdict, leak: true, wrap: func(reference http.Handler, key string) http.Handler {
			return altered(same200, key, "1")(reference, key)
		}, says: "0 failed"}, // --quick is a part
		{name: "429 with Retry-After of a year", want: verdict.Deviates, wrap: from(10, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(http.StatusTooManyRequests)
		}), says: "RATE-"},
		{name: "closes each connection", want: verdict.NoVerdict, wrap: always(raw("")), says: "no service to judge"},
		{name: "redirects to itself", want: verdict.NoVerdict, wrap: always(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), says: "the first got 302"},
	}
}

// TestLoadOnHostileTargets: whatever a target sends under load, the run ends in bounded time, memory and disk, with the right verdict
// and its report. A minute lasts a second.
func TestLoadOnHostileTargets(t *testing.T) {
	long.Only(t, "petconform load against 10 hostile targets, in real time")
	sideBySide(t, loadTargets(), func(t *testing.T, h hostile) {
		h.run(t, reference.Config{Keys: []reference.Key{reference.RandomKey("hostile", spec.Free)}, Minute: time.Second},
			"load", "--quick", "--minute", "1s", "--timeout", "300ms")
	})
}
