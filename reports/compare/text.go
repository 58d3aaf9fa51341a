package compare

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/plain"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Text writes the comparison for a terminal.
func (d Diff) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s) → %s (%s)\n", d.Old.name(), d.Old.Verdict, d.New.name(), d.New.Verdict)
	if d.Claimed != "" {
		write(&b, "note: ", plain.Line(d.Claimed))
	}
	for _, r := range d.Remarks {
		write(&b, "note: ", plain.Line(r))
	}
	for _, part := range []struct {
		title   string
		changes []Change
	}{
		{"newly failing", d.NewlyFailing}, {"fixed", d.Fixed}, {"still failing", d.StillFailing},
		{"other verdict", d.Other}, {"new checks", d.Added}, {"removed checks", d.Removed},
	} {
		d.writeChanges(&b, part.title, part.changes)
	}
	if len(d.Observations) > 0 {
		fmt.Fprintf(&b, "\nchanged observations (%d)\n", len(d.Observations))
		for _, o := range d.Observations {
			write(&b, fmt.Sprintf("  %-12s ", o.Requirement), fmt.Sprintf("%s: %s → %s", plain.Line(o.Key), Said(o.Was), Said(o.Is)))
		}
	}
	if len(d.Latency) > 0 {
		b.WriteString("\nlatency in ms, then → now\n")
		for _, l := range d.Latency {
			fmt.Fprintf(&b, "  %-16s p50 %.1f → %.1f   p99 %.1f → %.1f   n %s, %s\n", l.Name(), l.OldP50, l.NewP50, l.OldP99, l.NewP99, spec.Number(l.OldN), spec.Number(l.NewN))
		}
	}
	if d.Claimed == "" && d.Quiet() {
		b.WriteString("\nnothing changed\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// columns is the width of the text.
const columns = 80

// write writes text after a label, wrapped below the beginning of the text.
func write(b *strings.Builder, label, text string) {
	for _, line := range plain.Wrap(text, columns-len(label)) {
		fmt.Fprintf(b, "%s%s\n", label, line)
		label = strings.Repeat(" ", len(label))
	}
}

// Quiet reports whether all checks and open questions have the same results in both runs.
func (d Diff) Quiet() bool {
	return len(d.NewlyFailing)+len(d.Fixed)+len(d.Other)+len(d.Added)+len(d.Removed)+len(d.Observations) == 0
}

// Said is an observed value, in words where there is none.
func Said(value string) string {
	if value == "" {
		return "(not seen)"
	}
	return plain.Line(value)
}

func (d Diff) writeChanges(b *strings.Builder, title string, changes []Change) {
	if len(changes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)\n", title, len(changes))
	for _, c := range changes {
		write(b, "  ", fmt.Sprintf("%s: %s", plain.Line(c.Check), plain.Line(c.Title)))
		var words []string
		if c.Was != "" && c.Is != "" && c.Was != c.Is {
			words = append(words, fmt.Sprintf("%s → %s", c.Was, c.Is))
		}
		if c.Was == "" && c.Is.Failing() {
			words = append(words, string(c.Is))
		}
		if c.Since != nil {
			words = append(words, "since "+SinceWords(*c.Since))
		}
		if len(words) > 0 {
			write(b, "      ", strings.Join(words, "; "))
		}
	}
}

// SinceWords names a run to a reader.
func SinceWords(s verdict.Since) string {
	words := "run " + plain.Line(s.Run)
	if s.Build != "" {
		words += " of build " + plain.Clip(plain.Line(s.Build), 80)
	}
	return words + ", " + plain.Time(s.Started)
}

func (s Side) name() string {
	if s.Build != "" {
		return plain.Line(s.Build)
	}
	return "run " + plain.Line(s.Run)
}
