package reports

import (
	"fmt"
	"io"

	"petconform/reports/plain"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Against writes the comparison with a second target: the requirements that hold at one target only, and the open questions that
// the two answer differently.
func Against(w io.Writer, a verdict.Against) error {
	_, err := fmt.Fprintf(w, "Compared with %s: %s, %s\n", plain.Line(a.There), a.Word, spec.Count(a.Requests, "request"))
	put := func(text string) {
		for i, line := range plain.Wrap(plain.Text(text), Columns-4) {
			indent := "  "
			if i > 0 {
				indent = "    "
			}
			if err == nil {
				_, err = fmt.Fprintln(w, indent+line)
			}
		}
	}
	for _, u := range a.Requirements {
		put(fmt.Sprintf("%s (%s) is broken at %s only: %s %s", u.ID, u.Level, brokenAt(a, u), u.Statement, u.Broken))
	}
	for _, q := range a.Answers {
		id := string(q.Requirement)
		if id != "" {
			id += " "
		}
		put(fmt.Sprintf("%s%s: %s at %s, %s at %s", id, q.Question, q.Here, a.Here, q.There, a.There))
	}
	put(alike(a))
	return err
}

// alike sums up a comparison in a sentence.
func alike(a verdict.Against) string {
	s := fmt.Sprintf("%s decided at both; %s.", wereCompared(a.Compared), plural(len(a.Requirements), "differs", "differ"))
	if len(a.Answers) > 0 {
		s += fmt.Sprintf(" %s answered differently, which the interface allows.", plural(len(a.Answers), "open question is", "open questions are"))
	} else {
		s += " No open question is answered differently."
	}
	return s
}

func wereCompared(n int) string { return plural(n, "requirement was", "requirements were") }

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func brokenAt(a verdict.Against, u verdict.Unlike) string {
	if u.Here == verdict.Failed {
		return a.Here
	}
	return a.There
}
