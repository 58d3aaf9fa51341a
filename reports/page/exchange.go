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

// messageView is a request or a response. If its body is cut, Cut says how long it is, with its digest. If the body is in a file
// of its own, Beside names the file.
type messageView struct {
	Text   string
	Cut    string
	Beside string
}

// Bounds of what is shown of a message.
const (
	bodyShown    = 1500
	headersShown = 24
)

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
	switch {
	case len(body) == 0:
	case v.beside != nil && len(body) > bodyKept:
		moved := v.move(body)
		out.Beside, out.Cut = moved.Name, fmt.Sprintf("the body, %s, SHA-256 %s", spec.Count(len(body), "byte"), moved.Digest)
	case len(body) > bodyShown:
		out.Cut = fmt.Sprintf("the first %s bytes of %s; SHA-256 of the whole body: %s", spec.Number(bodyShown), spec.Number(len(body)), digest(body))
		body = body[:bodyShown]
		fallthrough
	default:
		b.WriteString("\n\n" + plain.Text(string(body)))
	}
	out.Text = b.String()
	return out
}
