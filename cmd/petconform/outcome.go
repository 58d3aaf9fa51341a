package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/reports/cause"
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// telling says how much of an outcome is printed, where to, and how.
type telling struct {
	folder string
	// verbose adds a card for each failure and the counts.
	verbose bool
	style   reports.CardStyle
}

// tellOutcome prints the causes of the failures, what is inconclusive, the path of the report, the verdict and the decision on
// the release. It ends with what to do next: what to fix first, or what has not been tested yet.
func tellOutcome(w io.Writer, in reports.Input, d decision.Decision, how telling) {
	r := in.Results
	if how.verbose {
		tellCards(w, in, how.style)
	}
	how.style.Folder = how.folder
	var causes []cause.Cause
	if !r.NoTarget() {
		causes = slices.DeleteFunc(cause.Of(r), func(c cause.Cause) bool { return slices.Equal(c.Checks(), []string{explore.CheckID}) })
	}
	for i, c := range causes {
		_ = reports.Card(w, strconv.Itoa(i+1), c, r, in.Recording, how.style)
		fmt.Fprintln(w)
	}
	if r.Against != nil {
		_ = compare.AgainstText(w, *r.Against)
		fmt.Fprintln(w)
	}
	tellShoulds(w, r)
	for _, warning := range r.Warnings {
		paragraph(w, "Warning: ", warning)
	}
	if how.verbose {
		tellCounts(w, r)
	}
	fmt.Fprintf(w, "%s, %s created, %s%s\n", spec.Count(r.Requests, "request"), spec.Count(len(r.Created), "animal"), r.Ended.Sub(r.Started).Round(time.Millisecond), waited(r))
	if how.folder != "" {
		fmt.Fprintf(w, "Report: %s\n", filepath.Join(how.folder, reports.ReportFile))
	}
	fmt.Fprintln(w)
	tellVerdict(w, r, d, causes, how)
	tellDecision(w, r, d)
	if len(causes) > 0 {
		fmt.Fprintln(w)
		_ = reports.FixFirst(w, causes, how.style)
	}
	tellNext(w, in)
}

// tellCards prints a card for each failure.
func tellCards(w io.Writer, in reports.Input, style reports.CardStyle) {
	style.Each = true
	for _, c := range in.Results.Checks {
		if c.Verdict == verdict.Failed && in.Results.Breaks(c) && c.ID != explore.CheckID {
			_ = reports.Card(w, c.ID, cause.OfCheck(c), in.Results, in.Recording, style)
			fmt.Fprintln(w)
		}
	}
}

func waited(r verdict.Results) string {
	if r.WaitedMS < 1000 {
		return ""
	}
	return " (with waits for the allowance)"
}

// tellShoulds prints one line for each broken should, or one line for all where a must is broken too. A should fails a run only
// with --strict, so it gets no card.
func tellShoulds(w io.Writer, r verdict.Results) {
	var ids []string
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			s, _ := spec.TheLedger().Find(f.Requirement)
			if s.Level != spec.Should || verdict.Counts(s.Level, r.Strict) {
				continue
			}
			if r.Verdict != verdict.Deviates {
				where := ""
				if f.Exchange > 0 {
					where = fmt.Sprintf("Exchange %d: ", f.Exchange)
				}
				paragraph(w, "Should: ", fmt.Sprintf("%s %s %s%s", s.ID, s.Statement, where, f.Actual))
			} else if !slices.Contains(ids, string(s.ID)) {
				ids = append(ids, string(s.ID))
			}
		}
	}
	if len(ids) > 0 {
		paragraph(w, "Should: ", "also broken: "+strings.Join(ids, ", "))
	}
}

// paragraph prints text after a label, wrapped to the width of a card. Further lines are indented by the label's width.
func paragraph(w io.Writer, label, text string) {
	fmt.Fprint(w, safe.Hang(label, safe.Wrap(safe.Text(text), reports.Columns-len(label))))
}

// sentence prints text on one line; on a terminal, wrapped to the width of a card.
func sentence(w io.Writer, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if isTerminal(w) {
		text = strings.Join(safe.Wrap(text, reports.Columns), "\n")
	}
	fmt.Fprintln(w, text)
}

// tellCounts prints how many requirements of each level got which verdict.
func tellCounts(w io.Writer, r verdict.Results) {
	n := map[spec.Level]map[verdict.Verdict]int{spec.Must: r.Count(spec.Must), spec.Should: r.Count(spec.Should), spec.Open: r.Count(spec.Open)}
	columns := []verdict.Verdict{verdict.Passed, verdict.Failed, verdict.Waived, verdict.Observed, verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable}
	// With all seven columns a row has 79 characters.
	var head, kept = "      ", []verdict.Verdict{}
	for _, v := range columns {
		if n[spec.Must][v]+n[spec.Should][v]+n[spec.Open][v] > 0 {
			head += fmt.Sprintf("%*s", len(v)+2, v)
			kept = append(kept, v)
		}
	}
	fmt.Fprintln(w, head)
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		row := fmt.Sprintf("%-6s", level)
		for _, v := range kept {
			row += fmt.Sprintf("%*d", len(v)+2, n[level][v])
		}
		fmt.Fprintln(w, row)
	}
}

// undecided reports whether neither the run nor the decision has a verdict, so that one line is enough for both.
func undecided(r verdict.Results, d decision.Decision) bool {
	return r.Verdict != verdict.Conforms && r.Verdict != verdict.Deviates && d.Word == decision.NoVerdict
}

// tellVerdict prints the verdict, the target, and the reasons that no cause has printed. That the run is a part is printed once,
// in the headline of the decision: "NO VERDICT, PART: 4 of 65 musts hold, 0 broken".
func tellVerdict(w io.Writer, r verdict.Results, d decision.Decision, causes []cause.Cause, how telling) {
	glyph, colour := "?", "33"
	switch r.Verdict {
	case verdict.Conforms:
		glyph, colour = "✓", "32"
	case verdict.Deviates:
		glyph, colour = "✗", "31"
	}
	word, _, _ := strings.Cut(r.Word, ", PART: ")
	if undecided(r, d) {
		word = d.Headline
	}
	bold, plainAgain := "", ""
	if how.style.Colour {
		bold, plainAgain = "\x1b[1;"+colour+"m", "\x1b[0m"
	}
	target := reports.TargetOf(r)
	if line := glyph + " " + word; utf8.RuneCountInString(line+"  "+target) <= reports.Columns {
		fmt.Fprintf(w, "%s%s%s  %s\n", bold, line, plainAgain, target)
	} else {
		fmt.Fprintf(w, "%s%s%s\n", bold, strings.Join(clauses(line), "\n"), plainAgain)
		fmt.Fprintf(w, "  %s\n", r.Target.URL)
	}
	if r.Part != nil && r.Part.Accepted {
		return // the decision says that the part was accepted
	}
	var hidden []string
	for _, c := range causes {
		hidden = append(hidden, c.Hides...)
	}
	reasons := r.OpenReasons(hidden)
	for i, reason := range reasons {
		if more := len(reasons) - i; i >= mostReasons && more > 1 && !how.verbose {
			fmt.Fprintf(w, "  - %d more reasons; --verbose prints them\n", more)
			break
		}
		paragraph(w, "  - ", reason)
		if r.NoTarget() {
			break // whatever else is missing is missing for this reason
		}
	}
}

// mostReasons is the largest number of reasons that are printed. A run that was stopped has one for each requirement that it did
// not reach.
const mostReasons = 6

// tellDecision prints the headline of the decision, unless tellVerdict has, and its sentence, unless the reasons of the verdict
// say the same.
func tellDecision(w io.Writer, r verdict.Results, d decision.Decision) {
	if !undecided(r, d) {
		fmt.Fprintln(w, strings.Join(clauses(d.Headline), "\n"))
	}
	accepted := r.Part != nil && r.Part.Accepted
	if r.Verdict == verdict.NoVerdict && !accepted {
		return
	}
	sentence := d.Sentence
	if accepted { // the headline has the counts of the part
		sentence = strings.TrimPrefix(sentence, r.Part.String()+". ")
	}
	paragraph(w, "  ", sentence)
}

// clauses breaks a line of more than reports.Columns characters after commas. Further lines are indented.
func clauses(line string) []string {
	var lines []string
	for _, clause := range strings.SplitAfter(line, ", ") {
		last := len(lines) - 1
		switch {
		case last < 0:
			lines = append(lines, clause)
		case utf8.RuneCountInString(strings.TrimSpace(lines[last]+clause)) <= reports.Columns:
			lines[last] += clause
		default:
			lines[last] = strings.TrimRight(lines[last], " ")
			lines = append(lines, "  "+clause)
		}
	}
	return lines
}
