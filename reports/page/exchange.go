package page

import (
	"fmt"
	"strings"

	"petconform/reports/safe"
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

// Bounds of what is shown of a message: bytes of a body, lines of its head, and characters of each.
const (
	bodyShown = 1500
	headShown = 24
	lineMost  = 400
)

func showExchange(x exchange.Exchange) *exchangeView {
	out := &exchangeView{Caption: fmt.Sprintf("Exchange %d, sent %s, first byte after %.1f ms, done after %.1f ms", x.N,
		x.Sent.UTC().Format("15:04:05.000 UTC"),
		x.FirstByte.Seconds()*1e3, x.Done.Seconds()*1e3)}
	if x.Caller != nil && x.Caller.Connection > 0 {
		out.Caption += fmt.Sprintf(", on connection %d", x.Caller.Connection)
	}
	out.Sent = message(safe.RequestHead(x), x.Request.Body)
	if x.Response == nil {
		out.Came.Text = "(" + safe.Came(x) + ")"
		return out
	}
	out.Came = message(safe.ResponseHead(*x.Response), x.Response.Body)
	if x.Response.Truncated {
		out.Came.Cut = strings.TrimPrefix(out.Came.Cut+fmt.Sprintf("; the recording holds only the beginning of %s",
			spec.Count(int(x.Response.Size), "byte")), "; ")
	}
	if x.Failure != nil {
		out.Came.Text += "\n\n(" + safe.Came(x) + ")"
	}
	return out
}

func message(head []string, body []byte) (out messageView) {
	if more := len(head) - headShown; more > 0 {
		head = append(head[:headShown], fmt.Sprintf("(%s)", spec.Count(more, "more header")))
	}
	for i, l := range head {
		head[i] = safe.Clip(l, lineMost)
	}
	if len(body) > bodyShown {
		out.Cut = fmt.Sprintf("the first %s bytes of %s; SHA-256 of the whole body: %s", spec.Number(bodyShown),
			spec.Number(len(body)), safe.Digest(body))
		body = body[:bodyShown]
	}
	if len(body) > 0 {
		head = append(head, "", safe.Text(string(body)))
	}
	out.Text = strings.Join(head, "\n")
	return out
}
