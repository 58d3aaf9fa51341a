package page

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"petconform/reports/plain"
	"petconform/spec"
	"petconform/spec/exchange"
)

// exchangeView is an exchange as evidence: the request and the response.
type exchangeView struct {
	Caption string
	// Sent and Came are its two messages.
	Sent, Came messageView
}

// messageView is a request or a response. If its body is cut, Cut says how long it is, with its digest.
type messageView struct{ Text, Cut string }

// Bounds of what is shown of a message: bytes of a body, bytes of a body in a page that would be larger than Most, and headers.
const (
	bodyShown    = 1500
	bodyGlimpse  = 256
	headersShown = 24
)

// Shortened returns how many bytes of a body the page shows, if it shows fewer than usual, else 0.
func (v *view) Shortened() int {
	if v.bodyShown < bodyShown {
		return v.bodyShown
	}
	return 0
}

func (v *view) exchange(x exchange.Exchange) *exchangeView {
	out := &exchangeView{Caption: fmt.Sprintf("Exchange %d, sent %s, first byte after %.1f ms, done after %.1f ms, %s", x.N, x.Sent.UTC().Format("15:04:05.000 UTC"),
		x.FirstByte.Seconds()*1e3, x.Done.Seconds()*1e3, credential(x.Auth))}
	out.Sent = v.message(x.Request.Method+" "+x.Request.Path, x.Request.Header, x.Request.Body)
	if x.Response == nil {
		out.Came.Text = "(" + plain.Came(x) + ")"
		return out
	}
	first := strings.TrimSpace(fmt.Sprintf("%s %d %s", x.Response.Proto, x.Response.Status, http.StatusText(x.Response.Status)))
	out.Came = v.message(first, x.Response.Header, x.Response.Body)
	if x.Response.Truncated {
		out.Came.Cut = strings.TrimPrefix(out.Came.Cut+fmt.Sprintf("; the recording holds only the beginning of %s", spec.Count(int(x.Response.Size), "byte")), "; ")
	}
	if x.Failure != nil {
		out.Came.Text += "\n\n(" + plain.Came(x) + ")"
	}
	return out
}

func (v *view) message(first string, h http.Header, body []byte) messageView {
	var b strings.Builder
	b.WriteString(plain.Clip(plain.Line(first), 400))
	names := slices.Sorted(maps.Keys(h))
	for _, name := range names[:min(len(names), headersShown)] {
		for _, value := range h[name] {
			b.WriteString("\n" + plain.Clip(plain.Line(name+": "+value), 300))
		}
	}
	if more := len(names) - headersShown; more > 0 {
		fmt.Fprintf(&b, "\n(%s)", spec.Count(more, "more header"))
	}
	out := messageView{}
	if len(body) > v.bodyShown {
		out.Cut = fmt.Sprintf("the first %s bytes of %s; SHA-256 of the whole body: %s",
			spec.Number(v.bodyShown), spec.Number(len(body)), digest(body))
		body = body[:v.bodyShown]
	}
	if len(body) > 0 {
		b.WriteString("\n\n" + plain.Text(string(body)))
	}
	out.Text = b.String()
	return out
}
