package page

import (
	"slices"
	"strings"

	"petconform/spec/verdict"
)

// folded has the rows that need attention in Open, and the others in Groups, which the page folds.
type folded[T any] struct {
	Open   []T
	Groups []group[T]
}

// group has the folded rows of a part of the interface. All is the number of all rows of that part.
type group[T any] struct {
	Name string
	Rows []T
	All  int
}

func fold[T any](rows []T, name func(T) string, good func(T) bool) folded[T] {
	var out folded[T]
	for _, r := range rows {
		i := slices.IndexFunc(out.Groups, func(g group[T]) bool { return g.Name == name(r) })
		if i < 0 {
			i = len(out.Groups)
			out.Groups = append(out.Groups, group[T]{Name: name(r)})
		}
		g := &out.Groups[i]
		g.All++
		if good(r) {
			g.Rows = append(g.Rows, r)
		} else {
			out.Open = append(out.Open, r)
		}
	}
	out.Groups = slices.DeleteFunc(out.Groups, func(g group[T]) bool { return len(g.Rows) == 0 })
	return out
}

func good(v verdict.Verdict) bool {
	return v == verdict.Passed || v == verdict.Observed || v == verdict.NotApplicable
}

// Failing returns the failed checks, waived ones last.
func (v *view) Failing() []checkView {
	return v.where(func(c checkView) bool { return c.Verdict.Failing() })
}

// Inconclusive returns the checks whose responses do not decide their requirements.
func (v *view) Inconclusive() []checkView {
	return v.where(func(c checkView) bool { return c.Verdict == verdict.Inconclusive })
}

func (v *view) where(keep func(checkView) bool) []checkView {
	return slices.DeleteFunc(slices.Clone(v.Checks), func(c checkView) bool { return !keep(c) })
}

// Rest are the checks that passed, observed or did not run.
func (v *view) Rest() folded[checkView] {
	out := fold(v.Checks, func(c checkView) string { return v.part(c.Check) }, func(c checkView) bool { return good(c.Verdict) })
	out.Open = slices.DeleteFunc(out.Open, func(c checkView) bool { return rank(c.Verdict) < rank(verdict.NotRun) })
	return out
}

// part names the group of a check: an operation, all responses or requests, or a load.
func (v *view) part(c verdict.Check) string {
	switch {
	case c.Operation == "" && v.Results.OfClient():
		return "every request"
	case c.Kind == verdict.Phase:
		return "load"
	case c.Operation == "":
		return "every response"
	}
	return string(c.Operation)
}

// requirementRow is a requirement with its verdicts in this run and in the last one.
type requirementRow struct {
	verdict.Requirement
	Last  verdict.Verdict
	Links []checkLink
	// Without is the text in place of checks if there is none.
	Without string
}

// checkLink names a check. There says whether the page has it.
type checkLink struct {
	ID    string
	There bool
}

// Requirements returns the rows of the ledger, grouped by the part of the interface in their clauses.
func (v *view) Requirements() folded[requirementRow] {
	rows := make([]requirementRow, 0, len(v.Results.Requirements))
	for _, r := range v.Results.Requirements {
		r.Reason = v.reason(r)
		row := requirementRow{Requirement: r, Last: v.last[r.ID], Without: v.unproved(r.ID)}
		for _, id := range r.Checks {
			row.Links = append(row.Links, checkLink{id, v.HasCheck(id)})
		}
		rows = append(rows, row)
	}
	out := fold(rows, func(r requirementRow) string { return subject(r.Clause) }, func(r requirementRow) bool { return good(r.Verdict) })
	slices.SortStableFunc(out.Open, func(a, b requirementRow) int { return rank(a.Verdict) - rank(b.Verdict) })
	return out
}

// subject is the part of the interface that a clause names: listPets of "Endpoints / listPets, limit".
func subject(clause string) string {
	clause = clause[strings.LastIndex(clause, "/ ")+1:]
	name, _, _ := strings.Cut(strings.TrimSpace(clause), ",")
	return name
}

// rowList is a table of requirements. Last says whether there is an earlier run.
type rowList struct {
	Caption string
	Rows    []requirementRow
	Last    bool
}

// List makes a table of some statements.
func (v *view) List(caption string, rows []requirementRow) rowList {
	return rowList{caption, rows, v.Previous != nil}
}
