package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// keyForms are the forms in which a target may echo the key.
var keyForms = map[string]func(key string) string{
	"plain":              func(k string) string { return k },
	"JSON-escaped":       func(k string) string { return each(k, `\u%04x`) },
	"slashes":            func(k string) string { return strings.Join(strings.Split(k, ""), `\/`) },
	"base64, offset 0":   func(k string) string { return base64.StdEncoding.EncodeToString([]byte(k + "..")) },
	"base64, offset 1":   func(k string) string { return base64.StdEncoding.EncodeToString([]byte("x" + k + "..")) },
	"base64, offset 2":   func(k string) string { return base64.URLEncoding.EncodeToString([]byte("xy" + k + "..")) },
	"hex":                func(k string) string { return hex.EncodeToString([]byte(k)) },
	"hex with colons":    func(k string) string { return strings.TrimPrefix(each(k, ":%02X"), ":") },
	"percent-encoded":    func(k string) string { return each(k, "%%%02x") },
	"entities":           func(k string) string { return each(k, "&#%d;") },
	"entities in hex":    func(k string) string { return each(k, "&#x%X;") },
	"reversed":           func(k string) string { b := []byte(k); slices.Reverse(b); return string(b) },
	"spaced":             func(k string) string { return strings.Join(strings.Split(k, ""), " ") },
	"in lower case":      strings.ToLower,
	"as numbers":         func(k string) string { return strings.TrimPrefix(each(k, ",%d"), ",") },
	"escaped, twice":     func(k string) string { return each(k, `\\u%04x`) },
	"quoted, then coded": func(k string) string { return each(each(k, "&#%d;"), "%%%02x") },
}

func each(key, format string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// keyTargets echo the key in every form: in a member of each body, and in a header where the form may stand there.
func keyTargets() []hostile {
	var all []hostile
	for name, form := range keyForms {
		all = append(all, hostile{name: "echoes the key: " + name, leak: true, conforms: true, wrap: func(reference http.Handler, key string) http.Handler {
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
		hostile{name: "echoes the key: a header's name", leak: true, wrap: head(func(k string) string { return okHead + k + ": 1\r\nContent-Length: 2\r\n\r\n[]" })},
		hostile{name: "echoes the key: the status line", leak: true, wrap: head(func(k string) string { return "HTTP/1.1 200 " + k + "\r\nContent-Length: 2\r\n\r\n[]" })},
		hostile{name: "echoes the key: a bad status line", leak: true, wrap: head(func(k string) string { return "HTTP/1.1 " + k + "\r\n\r\n" })},
		hostile{name: "echoes the key: a trailer", leak: true, wrap: head(func(k string) string {
			return okHead + "Trailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-T: " + k + "\r\n\r\n"
		})},
		hostile{name: "echoes the key: the media type", leak: true, wrap: altered0(func(k string) []string { return []string{"Content-Type", "application/" + k} })},
	)
}

func altered0(headers func(key string) []string) func(http.Handler, string) http.Handler {
	return func(reference http.Handler, key string) http.Handler {
		return altered(same200, headers(key)...)(reference, key)
	}
}
