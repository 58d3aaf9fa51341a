package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Exchange writes an exchange in full: the check that sent it, the time, the kind of credential, and both messages with
// all headers and the recorded body, and before them what the results found in it. It has no key, since keys are never
// recorded. Lines of the messages are as long as they were sent.
func Exchange(w io.Writer, x exchange.Exchange, res verdict.Results, style CardStyle) error {
	k := &card{style: style}
	b := &k.b
	prose := func(format string, args ...any) {
		b.WriteString(safe.Hang("", safe.Wrap(fmt.Sprintf(format, args...), style.width())))
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			if f.Exchange == x.N && c.Kind != verdict.Phase {
				r, _ := res.Requirement(f.Requirement)
				k.field(string(f.Requirement), r.Statement)
				k.difference(f)
				k.hints([]string{f.Hint})
				k.line("")
			}
		}
	}
	step := ""
	if x.Step != "" {
		step = fmt.Sprintf(" (%s)", safe.Line(x.Step))
	}
	prose("Exchange %d of %s%s", x.N, x.Check, step)
	prose("%s, %s; credential: %s", x.Operation, x.Sent.UTC().Format("2006-01-02 15:04:05.000 UTC"), x.Auth)
	if x.Attempt > 1 {
		prose("attempt %d", x.Attempt)
	}
	message(b, "> ", safe.RequestHead(x), x.Request.Body)
	if r := x.Response; r != nil {
		message(b, "< ", safe.ResponseHead(*r), r.Body)
		b.WriteByte('\n')
		prose("First byte after %.1f ms, complete after %.1f ms, %s", x.FirstByte.Seconds()*1e3, x.Done.Seconds()*1e3,
			spec.Count(int(r.Size), "byte"))
		if r.Truncated {
			prose("The recording holds only the first %s of the body.", spec.Count(len(r.Body), "byte"))
		}
	}
	if x.Failure != nil {
		b.WriteByte('\n')
		prose("No complete response: %s: %s", x.Failure.Kind, safe.Line(x.Failure.Detail))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// message writes a request or a response, each line after a mark.
func message(b *strings.Builder, mark string, lines []string, body []byte) {
	if len(body) > 0 {
		lines = append(lines, "", safe.Text(string(body)))
	}
	b.WriteByte('\n')
	for l := range strings.SplitSeq(strings.Join(lines, "\n"), "\n") {
		b.WriteString(strings.TrimRight(mark+l, " ") + "\n")
	}
}
