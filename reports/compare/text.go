package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// words are those for a kind of change. Kinds that a count has show it. Between names the kind where two targets are
// compared.
type words struct {
	Kind
	counted bool
	between string
}

// kinds are in the order of a reader, most important first.
var kinds = []words{
	{NewlyFailing, true, "failed at FIRST only"},
	{Fixed, true, "failed at SECOND only, which fails nothing"},
	{StillFailing, true, "failed at both"},
	{NotBefore, false, "failed at FIRST, not tested at SECOND"},
	{NotAgain, false, "failed at SECOND, not tested at FIRST"},
	{Doubtful, false, "passed at SECOND, inconclusive at FIRST"},
}

func order(k Kind) int { return slices.IndexFunc(kinds, func(w words) bool { return w.Kind == k }) }

// Part is what one title says of a comparison: the changes of a kind, or the open questions.
type Part struct {
	Title string
	Rows  []Row
}

// Row is a requirement, or what was observed of it, in the older run and in the newer one.
type Row struct {
	ID           spec.ID
	Of, Was, Now string
}

// Parts returns the changes by kind, most important first, and then the open questions. What only one of the runs tested
// is in no count.
func (d Diff) Parts() (parts []Part) {
	first, second := d.names()
	for _, k := range kinds {
		p := Part{Title: string(k.Kind)}
		for _, c := range d.Of(k.Kind) {
			p.Rows = append(p.Rows, Row{c.ID, fmt.Sprintf("(%s): %s", c.Level, c.Statement),
				string(cmp.Or(c.Was, verdict.NotRun)), string(c.Verdict)})
		}
		if d.Verdict != "" {
			p.Title = strings.NewReplacer("FIRST", first, "SECOND", second).Replace(k.between)
		}
		if k.counted {
			p.Title += fmt.Sprintf(" (%d)", len(p.Rows))
		}
		parts = append(parts, p)
	}
	open := fmt.Sprintf("open questions with another answer, which fails nothing (%d)", len(d.Observations))
	parts = append(parts, Part{open, d.Observations})
	return slices.DeleteFunc(parts, func(p Part) bool { return len(p.Rows) == 0 })
}

// Since names the older run.
func (d Diff) Since() string { return name(d.Old) }

func name(r verdict.Results) string { return cmp.Or(r.Target.Build, "run "+r.Run) }

// names are those of two targets: the one to release, and the one to compare with.
func (d Diff) names() (first, second string) {
	now, old := d.New.Target, d.Old.Target
	if now.Environment != "" && old.Environment != "" {
		return now.Environment, old.Environment
	}
	return now.URL, old.URL
}

// Text is the comparison in lines of at most width columns.
func (d Diff) Text(width int) string {
	var b strings.Builder
	write := func(label, format string, args ...any) {
		b.WriteString(safe.Hang(label, safe.Wrap(safe.Line(fmt.Sprintf(format, args...)), width-len(label))))
	}
	title := func(format string, args ...any) {
		b.WriteByte('\n')
		write("", format, args...)
	}
	first, second := d.names()
	then, now := name(d.Old), name(d.New)
	if d.Verdict != "" {
		then, now = second, first
	}
	write("From ", "%s (%s) → %s (%s)", then, d.Old.Verdict, now, d.New.Verdict) // a build begins no line
	for _, part := range d.Parts() {
		title("%s", part.Title)
		for _, r := range part.Rows {
			write("  ", "%s %s", r.ID, r.Of)
			if r.Was != r.Now {
				write("      ", "%s → %s", r.Was, r.Now)
			}
		}
	}
	switch musts := spec.Count(d.Compared, "must") + " decided at both"; {
	case d.Verdict == verdict.Failed:
		title("SERVICE-5 failed: %s breaks what %s keeps (%s).", first, second, musts)
	case d.Verdict == verdict.Passed:
		title("SERVICE-5 passed: %s breaks no must that %s keeps (%s).", first, second, musts)
	case d.Verdict == "" && len(d.Changes)+len(d.Observations) == len(d.Of(StillFailing)):
		title("nothing fails newly, and nothing was fixed")
	}
	return b.String()
}
