package reports

import (
	"fmt"
	"strings"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Shown is an exchange as evidence: the request and the response.
type Shown struct {
	Caption        string
	Sent, Received message
}

// message is a request or a response. If its body is cut, Cut says how long it is, with its digest.
type message struct{ Text, Cut string }

// Bounds of what a page shows of a message: bytes of a body, lines of its head, and characters of each.
const (
	bodyShown = 1200
	headShown = 24
	lineMost  = 400
)

// show returns an exchange with most bytes of each body; with all if most is 0.
func show(x exchange.Exchange, most int) Shown {
	out := Shown{Caption: fmt.Sprintf("Exchange %d of %s", x.N, safe.Line(x.Check)),
		Sent: shownMessage(safe.RequestHead(x), x.Request.Body, most)}
	add := func(is bool, format string, args ...any) {
		if is {
			out.Caption += fmt.Sprintf(format, args...)
		}
	}
	add(x.Step != "", " (%s)", safe.Line(x.Step))
	add(true, ", sent %s", x.Sent.UTC().Format("15:04:05.000 UTC"))
	add(x.Attempt > 1, ", attempt %d", x.Attempt)
	if x.Caller != nil {
		add(x.Caller.Connection > 0, ", on connection %d", x.Caller.Connection)
	}
	came := "(" + safe.Came(x) + ")"
	if x.Response == nil {
		out.Received.Text = came
		return out
	}
	add(true, ", first byte after %.1f ms, done after %.1f ms", x.FirstByte.Seconds()*1e3, x.Done.Seconds()*1e3)
	out.Received = shownMessage(safe.ResponseHead(*x.Response), x.Response.Body, most)
	if x.Response.Truncated {
		out.Received.Cut += "; the recording holds only the beginning of " + spec.Count(int(x.Response.Size), "byte")
		out.Received.Cut = strings.TrimPrefix(out.Received.Cut, "; ")
	}
	if x.Failure != nil {
		out.Received.Text += "\n\n" + came
	}
	return out
}

func shownMessage(head []string, body []byte, most int) (out message) {
	if more := len(head) - headShown; more > 0 && most > 0 {
		head = append(head[:headShown], fmt.Sprintf("(%s)", spec.Count(more, "more header")))
	}
	for i, l := range head {
		if most > 0 {
			head[i] = safe.Clip(l, lineMost)
		}
	}
	if most > 0 && len(body) > most {
		out.Cut = fmt.Sprintf("the first %s bytes of %s; SHA-256 of the whole body: %s", spec.Number(most),
			spec.Number(len(body)), safe.Digest(body))
		body = body[:most]
	}
	if len(body) > 0 {
		head = append(head, "", safe.Text(string(body)))
	}
	out.Text = strings.Join(head, "\n")
	return out
}
