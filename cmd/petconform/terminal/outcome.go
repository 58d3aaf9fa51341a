// Package terminal prints for a person: the progress of a run, its outcome, and tables, as wide as a card or a
// terminal.
package terminal

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
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// How says how much of an outcome is printed.
type How struct {
	// Folder has the report; "" if there is none.
	Folder string
	// Verbose adds a card for each failure and the counts.
	Verbose bool
	// Aborted says that a signal ended the run.
	Aborted bool
	// Sequences are those that an exploration has found to fail.
	Sequences []explore.Card
}

// Outcome prints the causes of the failures, what is inconclusive, the path of the report, the verdict and the decision
// on the release. It ends with what to do next: what to fix first, or what has not been tested yet.
func Outcome(w io.Writer, in reports.Input, out reports.Outcome, how How) {
	in.Results = out.Results
	r, d, style := in.Results, out.Decision, style(w)
	if how.Verbose {
		printCards(w, in, style)
	}
	style.Folder = how.Folder
	causes := cause.Of(r)
	for i, c := range causes { // with the numbers of the report
		_ = reports.Card(w, strconv.Itoa(i+1), c, r, in.Recording, style)
		fmt.Fprintln(w)
		shows := func(s explore.Card) bool { return s.Shortest && s.Shows(c.Requirements) }
		if n := slices.IndexFunc(how.Sequences, shows); n >= 0 && slices.Equal(c.Checks(), []string{explore.CheckID}) {
			fmt.Fprintln(w, safe.Text(how.Sequences[n].String())) // what its exchange follows is part of the fault
		}
	}
	printSequences(w, how)
	printShoulds(w, r)
	for _, warning := range r.Warnings {
		Paragraph(w, "Warning: ", warning)
	}
	if how.Verbose {
		printCounts(w, r)
	}
	printTraffic(w, r, how.Aborted)
	if how.Folder != "" {
		fmt.Fprintf(w, "Report: %s\n", filepath.Join(how.Folder, reports.ReportFile))
	}
	fmt.Fprintln(w)
	printVerdict(w, r, d, causes, how.Verbose)
	printDecision(w, r, d)
	for _, q := range r.Unmet() {
		Paragraph(w, "  Not met: ", fmt.Sprintf("%s: %s", q.ID, q.Reason))
	}
	_ = reports.FixFirst(w, causes, style)
	printNext(w, in)
}

// printTraffic prints how many requests were judged, how long that took, and the size of the run.
func printTraffic(w io.Writer, r verdict.Results, aborted bool) {
	if r.NothingJudged() {
		return
	}
	traffic := fmt.Sprintf("%s, %s created, %s", r.Traffic(), spec.Count(len(r.Created), "animal"),
		r.Took().Round(time.Millisecond))
	if r.WaitedMS >= 1000 {
		traffic += " (with waits for the allowance)"
	}
	if aborted {
		traffic += ", aborted"
	}
	Sentence(w, "%s", traffic)
	if r.Size != "" {
		Paragraph(w, "Size: ", r.Size)
	}
}

// printSequences prints the script of each sequence that fails, if there is a folder that has it.
func printSequences(w io.Writer, how How) {
	if how.Folder == "" || len(how.Sequences) == 0 {
		return
	}
	for i, s := range how.Sequences {
		var ids []string
		for _, f := range s.Findings {
			ids = append(ids, string(f.Requirement))
		}
		Paragraph(w, "Sequence: ", fmt.Sprintf("sh %s shows %s broken by %s",
			filepath.Join(how.Folder, explore.ScriptName(i)), spec.List(ids), spec.Count(len(s.Exchanges), "request")))
	}
	fmt.Fprintln(w)
}

func printCards(w io.Writer, in reports.Input, style reports.CardStyle) {
	style.Each = true
	for _, c := range in.Results.Checks {
		if c.Verdict == verdict.Failed && in.Results.Breaks(c) && c.ID != explore.CheckID {
			_ = reports.Card(w, c.ID, cause.OfCheck(c), in.Results, in.Recording, style)
			fmt.Fprintln(w)
		}
	}
}

// printShoulds prints one line for each broken should, or one line for all where a must is broken too. A should fails a
// run only with --strict, so it gets no card.
func printShoulds(w io.Writer, r verdict.Results) {
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
					where = fmt.Sprintf("Exchange %d (--show %d): ", f.Exchange, f.Exchange)
				}
				Paragraph(w, "Should: ", strings.TrimSpace(fmt.Sprintf("%s %s %s%s. %s", s.ID, s.Statement, where, f.Actual, f.Hint)))
			} else if !slices.Contains(ids, string(s.ID)) {
				ids = append(ids, string(s.ID))
			}
		}
	}
	if len(ids) > 0 {
		Paragraph(w, "Should: ", fmt.Sprintf("also broken: %s; petconform explain %s says more", strings.Join(ids, ", "), ids[0]))
	}
}

// printCounts prints how many requirements of each level got which verdict.
func printCounts(w io.Writer, r verdict.Results) {
	n := map[spec.Level]map[verdict.Verdict]int{spec.Must: r.Count(spec.Must), spec.Should: r.Count(spec.Should), spec.Open: r.Count(spec.Open)}
	columns := []verdict.Verdict{verdict.Passed, verdict.Failed, verdict.Waived, verdict.Observed, verdict.Inconclusive,
		verdict.NotRun, verdict.NotApplicable}
	for _, level := range []spec.Level{"", spec.Must, spec.Should, spec.Open} { // "" for the head
		row := fmt.Sprintf("%-6s", level)
		for _, v := range columns { // with all seven a row has 79 characters
			cell := fmt.Sprint(n[level][v])
			if level == "" {
				cell = string(v)
			}
			if n[spec.Must][v]+n[spec.Should][v]+n[spec.Open][v] > 0 {
				row += fmt.Sprintf("%*s", len(v)+2, cell)
			}
		}
		fmt.Fprintln(w, row)
	}
}

// printVerdict prints the headline of the decision, the target, the verdict where the headline does not say it, and the
// reasons that no cause has printed.
func printVerdict(w io.Writer, r verdict.Results, d decision.Decision, causes []cause.Cause, verbose bool) {
	bold, plainAgain := "", ""
	if style(w).Colour {
		bold, plainAgain = "\x1b[1;"+colours[d.Mark().Class]+"m", "\x1b[0m"
	}
	target := safe.Target(r)
	if line := d.Mark().Glyph + " " + d.Headline; utf8.RuneCountInString(line+"  "+target) <= Width(w) {
		fmt.Fprintf(w, "%s%s%s  %s\n", bold, line, plainAgain, target)
	} else {
		fmt.Fprintf(w, "%s%s%s\n", bold, strings.Join(clauses(line, Width(w)), "\n"), plainAgain)
		Paragraph(w, "  ", r.Target.URL)
	}
	if verdict := d.Beside(r); verdict != "" {
		Paragraph(w, "  Verdict: ", verdict)
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
		if more := len(reasons) - i; i >= mostReasons && more > 1 && !verbose {
			fmt.Fprintf(w, "  - %d more reasons; --verbose prints them\n", more)
			break
		}
		Paragraph(w, "  - ", reason.Sentence)
	}
}

// mostReasons is the largest number of reasons that are printed. A run that was stopped has one for each requirement
// that it did not reach.
const mostReasons = 6

// colours are those of a terminal, by the class of a mark.
var colours = map[string]string{"good": "32", "bad": "31", "mind": "33"}

// printDecision prints the sentence of the decision, unless the reasons of the verdict say the same.
func printDecision(w io.Writer, r verdict.Results, d decision.Decision) {
	accepted := r.Part != nil && r.Part.Accepted
	if r.Verdict == verdict.NoVerdict && !accepted {
		return
	}
	sentence := d.Sentence
	if accepted { // the headline has the counts of the part
		sentence = strings.TrimPrefix(sentence, r.Part.String()+". ")
	}
	Paragraph(w, "  ", sentence)
}

// clauses breaks a line of more than width characters after commas, and between words where a clause is longer. Further
// lines are indented.
func clauses(line string, width int) []string {
	var lines []string
	for clause := range strings.SplitSeq(line, ", ") {
		if last := len(lines) - 1; last >= 0 {
			lines[last] += ","
			if one := lines[last] + " " + clause; utf8.RuneCountInString(one) < width { // a comma may follow
				lines[last] = one
				continue
			}
		}
		for _, part := range safe.Wrap(clause, width-3) {
			if len(lines) > 0 {
				part = "  " + part
			}
			lines = append(lines, part)
		}
	}
	return lines
}
