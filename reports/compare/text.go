package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// lines is a text in lines of at most width columns.
type lines struct {
	strings.Builder
	width int
}

// write writes words after a label, wrapped below the beginning of the words.
func (l *lines) write(label, format string, args ...any) {
	l.WriteString(safe.Hang(label, safe.Wrap(safe.Line(fmt.Sprintf(format, args...)), l.width-len(label))))
}

// title begins a part of the text.
func (l *lines) title(format string, args ...any) {
	l.WriteByte('\n')
	l.write("", format, args...)
}

func (l *lines) answers(title string, all []Observation) {
	if len(all) > 0 {
		l.title(title, len(all))
	}
	for _, o := range all {
		l.write(fmt.Sprintf("  %-12s ", o.Requirement), "%s: %s → %s", o.Key, o.Was, o.Is)
	}
}

// Text writes the comparison in lines of at most width columns.
func (d Diff) Text(w io.Writer, width int) error {
	b := lines{width: width}
	b.write("", "%s (%s) → %s (%s)", d.Old.Name(), d.Old.Verdict, d.New.Name(), d.New.Verdict)
	if d.Claimed != "" {
		b.write("note: ", "%s", d.Claimed)
	}
	for _, r := range d.Remarks {
		b.write("note: ", "%s", r)
	}
	for _, part := range d.Parts() {
		if len(part.Changes) == 0 {
			continue
		}
		b.title("%s", part.Title)
		for _, c := range part.Changes {
			b.write("  ", "%s: %s", c.Check, c.Title)
			if c.Was != c.Is {
				b.write("      ", "%s → %s", cmp.Or(c.Was, verdict.NotRun), c.Is)
			}
		}
	}
	b.answers("open questions with another answer (%d)", d.Observations)
	if len(d.Times) > 0 {
		b.title("response times")
	}
	for _, t := range d.Times {
		b.write("  ", "%s", t)
	}
	if d.Claimed == "" && d.Quiet() {
		b.title("nothing changed")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Quiet reports whether all checks and open questions have the same results in both runs.
func (d Diff) Quiet() bool {
	return len(d.NewlyFailing)+len(d.Fixed)+len(d.Other)+len(d.NotBefore)+len(d.NotAgain)+len(d.Observations) == 0
}

// Part is a list of changes. None is what to say if it is empty; "" if nothing.
type Part struct {
	Title, None string
	Changes     []Change
}

// Parts returns the changes, most important first. What only one of the runs tested is in no count.
func (d Diff) Parts() []Part {
	counted := func(title, none string, all []Change) Part {
		return Part{fmt.Sprintf("%s (%d)", title, len(all)), none, all}
	}
	return []Part{counted("newly failing", "No new failure.", d.NewlyFailing), counted("fixed", "Nothing was fixed.", d.Fixed),
		counted("still failing", "No earlier failure remains.", d.StillFailing), {"fails now, not tested before", "", d.NotBefore},
		{"failed before, not tested now", "", d.NotAgain}, {"another verdict", "", d.Other}}
}

// Name names a run by its build, if it has one.
func (s Side) Name() string {
	if s.Build != "" {
		return s.Build
	}
	return "run " + s.Run
}

// Text writes the comparison in lines of at most width columns.
func (d Drift) Text(w io.Writer, width int) error {
	b := lines{width: width}
	first, second := d.First.Target, d.Second.Target
	if d.First.Environment != "" && d.Second.Environment != "" {
		first, second = d.First.Environment, d.Second.Environment
	}
	b.write("", "%s (%s) and %s (%s)", first, d.First.Verdict, second, d.Second.Verdict)
	for _, r := range d.Remarks {
		b.write("note: ", "%s", r)
	}
	for _, part := range []struct {
		title string
		all   []Unlike
	}{{"failed at " + first + " only", d.Failed}, {"failed at " + second + " only, which fails nothing", d.Elsewhere},
		{"not tested at both", d.Undecided}} {
		if len(part.all) > 0 {
			b.title("%s (%d)", part.title, len(part.all))
		}
		for _, u := range part.all {
			b.write("  ", "%s (%s): %s", u.ID, u.Level, u.Statement)
			b.write("      ", "%s", cmp.Or(u.Shown, fmt.Sprintf("%s at %s, %s at %s", u.First, first, u.Second, second)))
		}
	}
	b.answers("open questions that the two answer differently, which fails nothing (%d)", d.Observations)
	musts := spec.Count(d.Compared, "must") + " decided at both"
	switch d.Verdict {
	case verdict.Failed:
		b.title("SERVICE-5 failed: %s breaks what %s keeps (%s).", first, second, musts)
	case verdict.Passed:
		b.title("SERVICE-5 passed: %s breaks no must that %s keeps (%s).", first, second, musts)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
