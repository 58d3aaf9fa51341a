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

// Exchange writes an exchange in full: the check that sent it, the time, the kind of credential, and both messages with all
// headers and the recorded body, and before them what the results found in it. It has no key, since keys are never recorded.
func Exchange(w io.Writer, x exchange.Exchange, res verdict.Results) error {
	k := &card{}
	b := &k.b
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
	fmt.Fprintf(b, "Exchange %d of %s", x.N, x.Check)
	if x.Step != "" {
		fmt.Fprintf(b, " (%s)", safe.Line(x.Step))
	}
	fmt.Fprintf(b, "\n%s, %s; credential: %s\n", x.Operation, x.Sent.UTC().Format("2006-01-02 15:04:05.000 UTC"), x.Auth)
	if x.Attempt > 1 {
		fmt.Fprintf(b, "attempt %d\n", x.Attempt)
	}
	message(b, "> ", safe.RequestHead(x), x.Request.Body)
	if r := x.Response; r != nil {
		message(b, "< ", safe.ResponseHead(*r), r.Body)
		fmt.Fprintf(b, "\nFirst byte after %.1f ms, complete after %.1f ms, %s\n", x.FirstByte.Seconds()*1e3, x.Done.Seconds()*1e3, spec.Count(int(r.Size), "byte"))
		if r.Truncated {
			fmt.Fprintf(b, "The recording holds only the first %s of the body.\n", spec.Count(len(r.Body), "byte"))
		}
	}
	if x.Failure != nil {
		fmt.Fprintf(b, "\nNo complete response: %s: %s\n", x.Failure.Kind, safe.Line(x.Failure.Detail))
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
