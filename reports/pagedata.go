package reports

import (
	"slices"
	"strings"

	"petconform/reports/figure"
	"petconform/spec"
	"petconform/spec/verdict"
)

// pageData is what the templates of the page read: the view, and its rows in groups that the page folds.
type pageData struct {
	View
	Plans        []figure.Plan
	Checks       []group[verdict.Check]
	Requirements []group[verdict.Requirement]
	// Questions are the open ones.
	Questions []verdict.Requirement
}

// pageOf lays the view out for the page. A check that failed is in its card.
func pageOf(v View) pageData {
	d := pageData{View: v, Plans: figure.Of(v.Load)}
	for _, c := range v.Results.Checks {
		if !c.Verdict.Failing() {
			d.Checks = grouped(d.Checks, c, v.part(c), c.Verdict == verdict.Inconclusive || c.Verdict == verdict.NotRun)
		}
	}
	for _, r := range v.Results.Requirements {
		d.Requirements = grouped(d.Requirements, r, subject(r.Clause), r.Verdict.Failing() || r.Verdict == verdict.Inconclusive)
		if r.Level == spec.Open {
			d.Questions = append(d.Questions, r)
		}
	}
	return d
}

// group has the rows of a part of the interface. Open rows stand in a group of their own, the first.
type group[T any] struct {
	Name string
	Rows []T
	Open bool
}

func grouped[T any](all []group[T], row T, part string, open bool) []group[T] {
	if open {
		part = ""
	}
	i := slices.IndexFunc(all, func(g group[T]) bool { return g.Name == part })
	if i < 0 && open {
		i, all = 0, slices.Insert(all, 0, group[T]{Open: true})
	} else if i < 0 {
		i, all = len(all), append(all, group[T]{Name: part})
	}
	all[i].Rows = append(all[i].Rows, row)
	return all
}

// subject is the part of the interface that a clause names: listPets of "Endpoints / listPets, limit".
func subject(clause string) string {
	clause = clause[strings.LastIndex(clause, "/ ")+1:]
	name, _, _ := strings.Cut(strings.TrimSpace(clause), ",")
	return name
}

// Created are the animals that the page lists. A run of a service creates fewer; clients may create any number.
func (d pageData) Created() []verdict.Created {
	return d.Results.Created[:min(len(d.Results.Created), 500)]
}
