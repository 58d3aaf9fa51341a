package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/plain"
	"petconform/spec"
	"petconform/spec/verdict"
)

// tellOutcome prints what a person at a terminal wants to know: each failure whole, then the counts, then the verdict and
// where the report lies.
func tellOutcome(w io.Writer, dir string, in reports.Input, style reports.CardStyle) {
	r := in.Results
	for _, c := range r.Checks {
		if c.Verdict == verdict.Failed && r.Breaks(c) && c.ID != explore.CheckID {
			_ = reports.Card(w, r, c, reports.Exchanges(c, in.Recording), style)
			fmt.Fprintln(w)
		}
	}
	tellShoulds(w, r)
	tellInconclusive(w, r)
	for _, warning := range r.Warnings {
		paragraph(w, "Warning: ", warning)
	}
	tellCounts(w, r)
	created := fmt.Sprintf("%d animals created", len(r.Created))
	if len(r.Created) == 1 {
		created = "1 animal created"
	}
	fmt.Fprintf(w, "%d requests, %s, %s%s\n", r.Requests, created, r.Ended.Sub(r.Started).Round(time.Millisecond), waited(r))
	if dir != "" {
		fmt.Fprintf(w, "Report: %s\n", filepath.Join(dir, reports.ReportFile))
	}
	fmt.Fprintln(w)
	tellVerdict(w, r, style)
}

func waited(r verdict.Results) string {
	if r.WaitedMS < 1000 {
		return ""
	}
	return " (with waits for the target's allowance)"
}

// tellShoulds names the shoulds that are broken: they fail nothing, so a line each.
func tellShoulds(w io.Writer, r verdict.Results) {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			s, _ := spec.TheLedger().Find(f.Requirement)
			if s.Level == spec.Should && !verdict.Counts(s.Level, r.Strict) {
				paragraph(w, "Should: ", fmt.Sprintf("%s %s Exchange %d: %s", s.ID, s.Statement, f.Exchange, f.Actual))
			}
		}
	}
}

func tellInconclusive(w io.Writer, r verdict.Results) {
	if r.Verdict == verdict.NoVerdict {
		return // the reasons of the run say why, once
	}
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Inconclusive && verdict.Counts(q.Level, r.Strict) {
			paragraph(w, "Cannot tell: ", fmt.Sprintf("%s %s (%s)", q.ID, q.Statement, q.Reason))
		}
	}
}

// paragraph wraps a line at the width of a card.
func paragraph(w io.Writer, label, text string) {
	for i, l := range plain.Wrap(plain.Text(text), reports.Columns-len(label)) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		fmt.Fprintln(w, label+l)
	}
}

// tellCounts prints how many requirements of each level got which verdict.
func tellCounts(w io.Writer, r verdict.Results) {
	n := map[spec.Level]map[verdict.Verdict]int{spec.Must: {}, spec.Should: {}, spec.Open: {}}
	for _, q := range r.Requirements {
		n[q.Level][q.Verdict]++
	}
	columns := []verdict.Verdict{verdict.Passed, verdict.Failed, verdict.Waived, verdict.Observed, verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable}
	var head, kept = "        ", []verdict.Verdict{}
	for _, v := range columns {
		if n[spec.Must][v]+n[spec.Should][v]+n[spec.Open][v] > 0 {
			head += fmt.Sprintf("%*s", len(v)+2, v)
			kept = append(kept, v)
		}
	}
	fmt.Fprintln(w, head)
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		row := fmt.Sprintf("%-8s", level)
		for _, v := range kept {
			row += fmt.Sprintf("%*d", len(v)+2, n[level][v])
		}
		fmt.Fprintln(w, row)
	}
}

func tellVerdict(w io.Writer, r verdict.Results, style reports.CardStyle) {
	glyph, colour := "?", "33"
	switch r.Verdict {
	case verdict.Conforms:
		glyph, colour = "✓", "32"
	case verdict.Deviates:
		glyph, colour = "✗", "31"
	}
	word := glyph + " " + r.Word
	if style.Colour {
		word = "\x1b[1;" + colour + "m" + word + "\x1b[0m"
	}
	fmt.Fprintf(w, "%s  %s\n", word, reports.TargetOf(r))
	for _, reason := range r.Reasons {
		paragraph(w, "  - ", reason)
	}
}

// tellDecision prints the word on the release, and why, unless the reasons of the verdict have said it.
func tellDecision(w io.Writer, d decision.Decision, r verdict.Results) {
	fmt.Fprintln(w, d.Headline)
	if r.Verdict != verdict.NoVerdict || r.Part != nil && r.Part.Accepted {
		paragraph(w, "  ", d.Sentence)
	}
}
