package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// keyForms are forms in which a target may echo the key: a few of those that spec/exchange finds.
var keyForms = map[string]func(key string) string{
	"plain":         func(k string) string { return k },
	"in lower case": strings.ToLower,
	"escaped, twice": func(k string) string {
		return regexp.MustCompile(".").ReplaceAllStringFunc(k, func(c string) string { return fmt.Sprintf(`\\u%04x`, c[0]) })
	},
	"base64, offset 2": func(k string) string { return base64.URLEncoding.EncodeToString([]byte("xy" + k + "..")) },
	"hex":              func(k string) string { return hex.EncodeToString([]byte(k)) },
}

// keyTargets echo the key in every form: in a member of each body, and in a header where the form may stand there.
func keyTargets() []hostile {
	var all []hostile
	for name, form := range keyForms {
		all = append(all, hostile{name: "echoes the key: " + name, want: verdict.Conforms, leak: true, wrap: func(reference http.Handler, key string) http.Handler {
			echo := form(key)
			return altered(func(body string) string { return strings.Replace(body, "{", `{"echo":"`+echo+`",`, 1) }, "X-Echo", echo)(reference, key)
		}})
	}
	slices.SortFunc(all, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	head := func(text func(key string) string) func(http.Handler, string) http.Handler {
		return func(reference http.Handler, key string) http.Handler {
			return from(20, func(w http.ResponseWriter, r *http.Request) { raw(text(key))(w, r) })(reference, key)
		}
	}
	return append(all,
		hostile{name: "echoes the key: a header's name", want: verdict.Deviates, leak: true, wrap: head(func(k string) string { return okHead + k + ": 1\r\nContent-Length: 2\r\n\r\n[]" })},
		hostile{name: "echoes the key: the coding", want: verdict.NoVerdict, leak: true, wrap: altered0(func(k string) []string { return []string{"Content-Encoding", k} })},
		hostile{name: "echoes the key: the status line", want: verdict.Deviates, leak: true, wrap: head(func(k string) string { return "HTTP/1.1 200 " + k + "\r\nContent-Length: 2\r\n\r\n[]" })},
		hostile{name: "echoes the key: a bad status line", want: verdict.Deviates, leak: true, wrap: head(func(k string) string { return "HTTP/1.1 " + k + "\r\n\r\n" }), says: "SERVICE-3"},
		hostile{name: "echoes the key: a trailer", want: verdict.Deviates, leak: true, wrap: head(func(k string) string {
			return okHead + "Trailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-T: " + k + "\r\n\r\n"
		})},
		hostile{name: "echoes the key: the media type", want: verdict.Deviates, leak: true, wrap: altered0(func(k string) []string { return []string{"Content-Type", "application/" + k} })},
	)
}

func altered0(headers func(key string) []string) func(http.Handler, string) http.Handler {
	return func(reference http.Handler, key string) http.Handler {
		return altered(same200, headers(key)...)(reference, key)
	}
}

// hostileWords are texts that are something else to whoever shows them.
var hostileWords = map[string]string{
	"workflow commands":   "\n::stop-commands::x\n##[set-output name=a]b\n::error::no\n::add-mask::e\n",
	"terminal sequences":  "\u009b2J\x1b]0;title\x07\x1b[31m\u0090q\u009c",
	"bidirectional marks": "\u202egnirts\u2066\u2069\u200f\u061c",
	"HTML":                `<script>alert(1)</script><img src=x onerror=alert(1)>"'--></style></pre>`,
	"Markdown":            "[a](javascript:b) ![c](http://d.example/e) @everyone #1 | `code` ```\n<details>",
	"XML":                 `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>]]>&b;` + "\x01\ufffe",
	"YAML aliases":        "a: &a [*a,*a]\nb: !!python/object x\n--- |\n",
	"paths":               "../../../../etc/x/\x00bodies/..\\..\\c:\\d",
	"a shell":             "$(touch hacked) `touch hacked`; touch hacked #' \" \\",
}

func textTargets() []hostile {
	var all []hostile
	for name, text := range hostileWords {
		quoted := fmt.Sprintf("%q", text)
		quoted = strings.NewReplacer(`\a`, `\u0007`, `\v`, `\u000b`, `\x1b`, `\u001b`, `\x00`, `\u0000`, `\x01`, `\u0001`, `\x07`, `\u0007`).Replace(quoted)
		line := strings.NewReplacer("\n", " ", "\x00", "", "\x01", "", "\x1b", "", "\x07", "").Replace(text)
		all = append(all, hostile{name: "writes " + name, want: verdict.Deviates, wrap: func(reference http.Handler, key string) http.Handler {
			return altered(func(body string) string {
				for _, member := range []string{"name", "status", "code", "message"} {
					body = strings.Replace(body, `"`+member+`":"`, `"`+member+`":`+quoted+`,"was-`+member+`":"`, 1)
				}
				return body
			}, "Content-Type", "application/json; a="+line, "X-RateLimit-Limit", line, "Location", line, "Link", line, "Www-Authenticate", line)(reference, key)
		}})
	}
	slices.SortFunc(all, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	return all
}

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
