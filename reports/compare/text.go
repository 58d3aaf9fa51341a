package compare

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"petconform/reports/safe"
	"petconform/spec"
)

// lines is a text in lines of at most width columns.
type lines struct {
	strings.Builder
	width int
}

// write writes words after a label, wrapped below the beginning of the words.
func (l *lines) write(label, words string) {
	l.WriteString(safe.Hang(label, safe.Wrap(words, l.width-len(label))))
}

// Text writes the comparison in lines of at most width columns.
func (d Diff) Text(w io.Writer, width int) error {
	b := lines{width: width}
	b.write("", fmt.Sprintf("%s (%s) → %s (%s)", d.Old.Name(), d.Old.Verdict, d.New.Name(), d.New.Verdict))
	if d.Claimed != "" {
		b.write("note: ", safe.Line(d.Claimed))
	}
	for _, r := range d.Remarks {
		b.write("note: ", safe.Line(r))
	}
	for _, part := range d.Parts() {
		if len(part.Changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s (%d)\n", part.Title, len(part.Changes))
		for _, c := range part.Changes {
			b.write("  ", fmt.Sprintf("%s: %s", safe.Line(c.Check), safe.Line(c.Title)))
			if words := c.Words(); words != "" {
				b.write("      ", words)
			}
		}
	}
	if len(d.Observations) > 0 {
		fmt.Fprintf(&b, "\nchanged observations (%d)\n", len(d.Observations))
		for _, o := range d.Observations {
			b.write(fmt.Sprintf("  %-12s ", o.Requirement), fmt.Sprintf("%s: %s → %s", safe.Line(o.Key), Said(o.Was), Said(o.Is)))
		}
	}
	if len(d.Latency) > 0 {
		b.WriteString("\nlatency in ms, then → now\n")
		for _, l := range d.Latency {
			row := fmt.Sprintf("%-16s p50 %.1f → %.1f   p99 %.1f → %.1f   n %s, %s", l.Name(), l.OldP50, l.NewP50,
				l.OldP99, l.NewP99, spec.Number(l.OldN), spec.Number(l.NewN))
			if utf8.RuneCountInString(row) > width-2 {
				b.write("  ", row)
				continue
			}
			b.WriteString("  " + row + "\n")
		}
	}
	if d.Claimed == "" && d.Quiet() {
		b.WriteString("\nnothing changed\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Quiet reports whether all checks and open questions have the same results in both runs.
func (d Diff) Quiet() bool {
	return len(d.NewlyFailing)+len(d.Fixed)+len(d.Untested)+len(d.NotAgain)+len(d.Other)+len(d.Added)+len(d.Removed)+len(d.Observations) == 0
}

// Said is an observed value, in words where there is none.
func Said(value string) string {
	if value == "" {
		return "(not seen)"
	}
	return safe.Line(value)
}

// Part is a list of changes. None is what to say if it is empty; "" if nothing.
type Part struct {
	Title, None string
	Changes     []Change
}

// Parts returns the changes, most important first.
func (d Diff) Parts() []Part {
	return []Part{{"newly failing", "No new failure.", d.NewlyFailing}, {"fixed", "Nothing was fixed.", d.Fixed},
		{"fails, not tested before", "", d.Untested}, {"failed, not tested again", "", d.NotAgain},
		{"still failing", "No earlier failure remains.", d.StillFailing}, {"another verdict", "", d.Other},
		{"new checks", "", d.Added}, {"removed checks", "", d.Removed}}
}

// Words says how the verdict changed.
func (c Change) Words() string {
	switch {
	case c.Was != "" && c.Is != "" && c.Was != c.Is:
		return fmt.Sprintf("%s → %s", c.Was, c.Is)
	case c.Was == "" && c.Is.Failing():
		return string(c.Is)
	}
	return ""
}

// Name names a run by its build, if it has one.
func (s Side) Name() string {
	if s.Build != "" {
		return safe.Line(s.Build)
	}
	return "run " + safe.Line(s.Run)
}
