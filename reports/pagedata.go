package reports

import (
	"slices"
	"strings"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// pageData is what the templates of the page read.
type pageData struct {
	View
	Plans        []planData
	Checks       []group[checkRow]
	Requirements []group[requirementRow]
	Questions    []question
	Chips        []chip
}

// pageOf lays the view out for the page.
func pageOf(v View) pageData {
	d := pageData{View: v, Plans: v.plans()}
	d.Checks = grouped(v.checkRows(), func(c checkRow) (string, bool) {
		return v.part(c.Check), c.Verdict == verdict.Inconclusive || c.Verdict == verdict.NotRun
	})
	d.Requirements = grouped(v.requirementRows(), func(r requirementRow) (string, bool) {
		return subject(r.Clause), r.Verdict.Failing() || r.Verdict == verdict.Inconclusive
	})
	for _, r := range v.Results.Requirements {
		if r.Level == spec.Open {
			d.Questions = append(d.Questions, v.question(r))
		}
	}
	shown := map[verdict.Verdict]int{verdict.Failed: len(v.Cards)}
	for _, c := range v.Others {
		shown[c.cause.Places[0].Check.Verdict]++
	}
	for _, g := range d.Checks {
		for _, c := range g.Rows {
			shown[c.Verdict]++
		}
	}
	for _, of := range verdict.Order() {
		if shown[of] > 0 {
			d.Chips = append(d.Chips, chip{of, shown[of]})
		}
	}
	return d
}

// chip is a verdict that the page can show alone, with the number of checks that have it.
type chip struct {
	Verdict verdict.Verdict
	N       int
}

// group has the rows of a part of the interface, which the page folds. Open rows stand in a group of their own, which
// it does not fold.
type group[T any] struct {
	Name string
	Rows []T
	Open bool
}

func grouped[T any](rows []T, name func(T) (part string, open bool)) (all []group[T]) {
	for _, r := range rows {
		part, open := name(r)
		if open {
			part = ""
		}
		i := slices.IndexFunc(all, func(g group[T]) bool { return g.Name == part })
		if i < 0 {
			i, all = len(all), append(all, group[T]{Name: part, Open: open})
		}
		all[i].Rows = append(all[i].Rows, r)
	}
	slices.SortStableFunc(all, func(a, b group[T]) int { return min(len(a.Name), 1) - min(len(b.Name), 1) })
	return all
}

// checkRow is a check that did not fail; one that did is in its card.
type checkRow struct {
	verdict.Check
	Proves []verdict.Requirement
	// Sent describes the first of its exchanges, a line each. More is the number of those that are left out.
	Sent []string
	More int
}

// sentShown is how many exchanges the page shows of a check that passed.
const sentShown = 2

func (v View) checkRows() (rows []checkRow) {
	for _, c := range v.Results.Checks {
		if c.Verdict.Failing() {
			continue
		}
		row := checkRow{Check: c}
		for _, id := range c.Requirements {
			if r, known := v.Results.Requirement(id); known {
				row.Proves = append(row.Proves, r)
			}
		}
		for _, n := range c.Exchanges {
			x, known := v.shown[n]
			if len(row.Sent) == sentShown || !known || v.underLoad(c) {
				row.More++
				continue
			}
			row.Sent = append(row.Sent, safe.Sent(x)+" → "+safe.Came(x))
		}
		rows = append(rows, row)
	}
	return rows
}

// part names the group of a check: an operation, all responses or requests, or a load.
func (v View) part(c verdict.Check) string {
	switch {
	case c.Kind == verdict.Phase:
		return "load"
	case c.Operation != "":
		return string(c.Operation)
	case v.Results.OfClient():
		return "every request"
	}
	return "every response"
}

// requirementRow is a requirement with its verdicts in this run and in the last one.
type requirementRow struct {
	verdict.Requirement
	Last verdict.Verdict
}

func (v View) requirementRows() []requirementRow {
	rows := make([]requirementRow, 0, len(v.Results.Requirements))
	for _, r := range v.Results.Requirements {
		row := requirementRow{Requirement: r}
		if v.Previous != nil {
			q, _ := v.Previous.Requirement(r.ID)
			row.Last = q.Verdict
		}
		rows = append(rows, row)
	}
	return rows
}

// subject is the part of the interface that a clause names: listPets of "Endpoints / listPets, limit".
func subject(clause string) string {
	clause = clause[strings.LastIndex(clause, "/ ")+1:]
	name, _, _ := strings.Cut(strings.TrimSpace(clause), ",")
	return name
}

// question is an open question with the answers that the run observed, and whether an earlier run saw others.
type question struct {
	verdict.Requirement
	Risk    string
	Answers []string
	Changed bool
}

func (v View) question(r verdict.Requirement) question {
	entry, _ := spec.TheLedger().Find(r.ID)
	q := question{Requirement: r, Risk: entry.Why, Answers: v.Observed(r.ID)}
	if v.Diff != nil {
		for _, o := range v.Diff.Observations {
			q.Changed = q.Changed || o.Requirement == r.ID
		}
	}
	return q
}

// HasCheck reports whether the page has an anchor for a check.
func (v View) HasCheck(id string) bool {
	_, has := v.Results.Check(id)
	return has
}

// shownBy is a check that shows a card: its own finding where the card's is another's.
type shownBy struct {
	verdict.Check
	// Anchor says that this is the first place of the page that shows the check.
	Anchor bool
	Lines  []Line
}

// ShownBy lists the checks that show a card.
func (d pageData) ShownBy(c Card) (all []shownBy) {
	for i, p := range c.cause.Places {
		if slices.ContainsFunc(all, func(s shownBy) bool { return s.ID == p.Check.ID }) {
			continue
		}
		s := shownBy{Check: p.Check, Anchor: d.first(p.Check.ID, c)}
		if i > 0 && p.Finding.Expected != "" {
			s.Lines = []Line{{Label: "Expected", Text: p.Finding.Expected}, {Label: "Actual", Text: p.Finding.Actual}}
		}
		all = append(all, s)
	}
	return all
}

// first reports whether a card is the first that shows a check.
func (d pageData) first(check string, of Card) bool {
	for _, c := range slices.Concat(d.Cards, d.Others) {
		if slices.Contains(c.Checks, check) {
			return c.N == of.N && c.Title == of.Title
		}
	}
	return false
}

// Evidence are the exchanges that show a card, with bodies that are cut.
func (d pageData) Evidence(c Card) (all []Shown) {
	if c.After != nil {
		all = append(all, show(*c.After, bodyShown))
	}
	if c.Shown != nil {
		all = append(all, show(*c.Shown, bodyShown))
	}
	return all
}

// Since says what became of a card in the earlier run, if the page has one that was judged.
func (d pageData) Since(c Card) string {
	if d.Diff == nil || d.Diff.Claimed != "" || len(c.Checks) == 0 {
		return ""
	}
	for _, part := range d.Diff.Parts() {
		for _, change := range part.Changes {
			if change.Check == c.Checks[0] {
				title, _, _ := strings.Cut(part.Title, " (")
				return title
			}
		}
	}
	return ""
}

// Failing are the requirements that failed, and Waived those whose failure a waiver excuses.
func (d pageData) Failing() (all []verdict.Requirement) {
	for _, q := range d.Results.Requirements {
		if q.Verdict.Failing() {
			all = append(all, q)
		}
	}
	return all
}

// mostCreated is the largest number of animals that the page lists. A run of a service creates fewer; clients may
// create any number.
const mostCreated = 500

// Created are the animals that the page lists.
func (d pageData) Created() []verdict.Created {
	return d.Results.Created[:min(len(d.Results.Created), mostCreated)]
}

// Required are the gates that were asked for, NotRequired the others.
func (d pageData) Required() []decision.Gate { return d.gates(true) }

// NotRequired are the gates that hold nothing up.
func (d pageData) NotRequired() []decision.Gate { return d.gates(false) }

func (d pageData) gates(required bool) []decision.Gate {
	return slices.DeleteFunc(slices.Clone(d.View.Gates), func(g decision.Gate) bool { return g.Required != required })
}
