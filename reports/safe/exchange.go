package safe

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// Bounds of what is shown in a line of a request that failed, and of a path.
const (
	failureShown = 200
	pathShown    = 400
)

// usual are the headers of a request that go without saying.
var usual = []string{"Accept: application/json", "Content-Type: application/json", "Accept-Encoding: gzip"}

// Sent describes a request in a line: its number, its first line, the credential if it is not the key, and the headers
// that petconform does not send with every request.
func Sent(x exchange.Exchange) string {
	s := fmt.Sprintf("#%d %s %s", x.N, x.Request.Method, Clip(Line(x.WholePath()), pathShown))
	if x.Auth != exchange.Key {
		s += ", " + strings.Join(Credential(x), ", ")
	}
	for _, h := range head("", x.Request.Header)[1:] {
		if x.Caller == nil && !slices.Contains(usual, h) && !strings.HasPrefix(h, "User-Agent: ") {
			s += ", " + Clip(h, failureShown)
		}
	}
	return s
}

// Credential returns the headers with which a request carried its key, with a word for the key.
func Credential(x exchange.Exchange) []string {
	c, known := invalid.CredentialAmong(x.Request.Header, x.Auth)
	switch {
	case !known:
		return []string{"Authorization: " + x.Request.Header.Get("Authorization")}
	case len(c.Headers) == 0:
		return []string{"no Authorization header"}
	}
	word := "<key>"
	if c.Change != nil || x.Auth == exchange.OtherKey {
		word = "<" + string(x.Auth) + ">"
	}
	lines := slices.Clone(c.Headers)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, "%k", word)
	}
	return lines
}

// Came says in a few words what came of a request.
func Came(x exchange.Exchange) string {
	switch {
	case x.Failure != nil && x.Response != nil:
		return fmt.Sprintf("%d, then %s: %s", x.Status(), x.Failure.Kind, Clip(Line(x.Failure.Detail), failureShown))
	case x.Failure != nil:
		return fmt.Sprintf("%s: %s", x.Failure.Kind, Clip(Line(x.Failure.Detail), failureShown))
	case x.Response == nil:
		return "nothing"
	}
	took := spec.Number(x.Done.Milliseconds()) + " ms"
	if x.Done < time.Millisecond {
		took = "under 1 ms"
	}
	return fmt.Sprintf("%d, %s, %s", x.Status(), spec.Count(int(x.Response.Size), "byte"), took) + asks(x)
}

// asks says when a 429 came, from which a client counts the time to wait, and until when its headers ask to wait.
func asks(x exchange.Exchange) (s string) {
	if !x.Limited() {
		return ""
	}
	s = ", at " + x.Ended().UTC().Format("15:04:05.000 UTC")
	for _, name := range []string{spec.HeaderRetryAfter, spec.HeaderReset} {
		value := x.Response.Header.Get(name)
		if n, valid := exchange.Number(x.Response.Header, name); valid && name == spec.HeaderReset {
			value = Time(time.Unix(n, 0))
		}
		s += ", " + name + ": " + cmp.Or(Clip(Line(value), failureShown), "none")
	}
	return s
}

// RequestHead returns the first line of a request, the headers with its key, and the others, a line each.
func RequestHead(x exchange.Exchange) []string {
	lines := head(x.Request.Method+" "+x.WholePath(), x.Request.Header)
	if _, known := invalid.CredentialOf(x.Auth); !known {
		return lines
	}
	return slices.Insert(lines, 1, Credential(x)...)
}

// ResponseHead returns the first line of a response and its headers, a line each.
func ResponseHead(r exchange.Response) []string {
	return head(strings.TrimSpace(fmt.Sprintf("%s %d %s", r.Proto, r.Status, http.StatusText(r.Status))), r.Header)
}

func head(first string, h http.Header) []string {
	lines := []string{Line(first)}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			lines = append(lines, Line(name+": "+value))
		}
	}
	return lines
}
