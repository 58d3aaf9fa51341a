package main

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// keyTargets echo the key, plain and in one of the forms that spec/exchange finds, wherever a response has text.
func keyTargets() []hostile {
	member := func(text string) wrap {
		return altered(func(body string) string { return strings.Replace(body, "{", `{"echo":"`+text+`",`, 1) }, "X-Echo", text)
	}
	head := func(text string) wrap { return from(20, raw(text)) }
	all := []hostile{
		{name: "plain", want: verdict.Conforms, wrap: keyed(member)},
		{name: "base64, offset 2", want: verdict.Conforms, wrap: keyed(func(k string) wrap { return member(base64.URLEncoding.EncodeToString([]byte("xy" + k + ".."))) })},
		{name: "a header's name", want: verdict.Deviates, wrap: keyed(func(k string) wrap { return head(okHead + k + ": 1\r\nContent-Length: 2\r\n\r\n[]") })},
		{name: "the coding", want: verdict.NoVerdict, wrap: keyed(func(k string) wrap { return altered(same200, "Content-Encoding", k) })},
		{name: "the status line", want: verdict.Deviates, wrap: keyed(func(k string) wrap { return head("HTTP/1.1 200 " + k + "\r\nContent-Length: 2\r\n\r\n[]") })},
		{name: "a bad status line", want: verdict.Deviates, wrap: keyed(func(k string) wrap { return head("HTTP/1.1 " + k + "\r\n\r\n") }), says: "SERVICE-3"},
		{name: "a trailer", want: verdict.Deviates, wrap: keyed(func(k string) wrap {
			return head(okHead + "Trailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-T: " + k + "\r\n\r\n")
		})},
		{name: "the media type", want: verdict.Deviates, wrap: keyed(func(k string) wrap { return altered(same200, "Content-Type", "application/"+k) })},
	}
	for i := range all {
		all[i].name, all[i].leak = "echoes the key: "+all[i].name, true
	}
	return all
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

func textTargets() (all []hostile) {
	for name, text := range hostileWords {
		quoted, _ := json.Marshal(text) // a text has no error
		raw := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
		line := strings.NewReplacer("\n", " ", "\x00", "", "\x01", "", "\x1b", "", "\x07", "").Replace(text)
		all = append(all, hostile{name: "writes " + name, want: verdict.Deviates, wrap: altered(func(body string) string {
			for _, member := range []string{"name", "status", "code", "message"} {
				body = strings.Replace(body, `"`+member+`":"`, `"`+member+`":`+raw+`,"was-`+member+`":"`, 1)
			}
			return body
		}, "Content-Type", "application/json; a="+line, "X-RateLimit-Limit", line, "Location", line, "Link", line, "Www-Authenticate", line)})
	}
	return all
}

// loadTargets misbehave under load.
func loadTargets() []hostile {
	bomb := squeezed(strings.Repeat("\x00", 1<<20), 100)
	return []hostile{
		{name: "hangs on every request", want: verdict.NoVerdict, wrap: always(hang), says: "accepts the connection and says nothing"},
		{name: "drips headers", want: verdict.NoVerdict, wrap: always(repeated("HTTP/1.1 200 OK\r\n", "X-A: b\r\n", 10*time.Millisecond)), says: "accepts the connection and says nothing"},
		{name: "an endless body", want: verdict.Deviates, wrap: from(10, repeated(okHead+"\r\n[", strings.Repeat(" ", 1<<15), 0)), says: "RATE-1"},
		{name: "a compressed bomb", want: verdict.NoVerdict, wrap: altered(func(string) string { return bomb }, "Content-Encoding", "gzip"), says: "NO VERDICT"},
		{name: "echoes the key: a header's name", want: verdict.NoVerdict, leak: true, says: "0 failed", // --quick is a part
			wrap: keyed(func(k string) wrap { return altered(same200, k, "1") })},
		{name: "429 with Retry-After of a year", want: verdict.Deviates, wrap: from(10, limitedForAYear), says: "RATE-"},
	}
}

// TestLoadOnHostileTargets: whatever a target sends under load, the run ends in bounded time, memory and disk, with the right verdict
// and its report. A minute lasts a second.
func TestLoadOnHostileTargets(t *testing.T) {
	long.Only(t, "petconform load against 6 hostile targets, in real time")
	sideBySide(t, loadTargets(), func(t *testing.T, h hostile) {
		h.run(t, reference.Config{Keys: []reference.Key{reference.RandomKey("hostile", spec.Free)}, Minute: time.Second},
			"load", "--quick", "--minute", "1s", "--timeout", "300ms")
	})
}
