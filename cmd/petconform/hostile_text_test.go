package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

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
