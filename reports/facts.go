package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports/figure"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// referenceService is what reports call the reference service that petconform runs itself.
const referenceService = "the built-in reference service"

// Target names what was judged, with its address. It says so if that was the built-in reference service or clients.
func (v View) Target() string {
	switch t := v.Results.Target; {
	case v.Results.OfClient():
		return cmp.Or(safe.Line(t.Build), "a client") + " of " + t.URL
	case t.Reference:
		return referenceService + ", " + t.URL
	}
	return v.Results.Target.URL
}

// Name is what was tested, in a few words.
func (v View) Name() string {
	name := cmp.Or(v.Results.Target.Build, v.Target())
	if v.Results.Target.Reference && !v.Results.OfClient() {
		name = referenceService
	}
	return safe.Clip(safe.Line(name), 80)
}

// Identity tells which run of what this is.
func (v View) Identity() []Line {
	r := v.Results
	way, sent := r.Target.Way.String(), "nothing"
	for _, proto := range slices.Sorted(maps.Keys(r.Target.Protocols)) {
		way += fmt.Sprintf("; %s in %s", spec.Count(r.Target.Protocols[proto], "response"), proto)
	}
	const unit = 10 * time.Millisecond
	var when []string
	for _, s := range r.Spans() {
		when = append(when, strings.TrimSuffix(fmt.Sprintf("%s at %s, for %s", s.Kind, safe.Time(s.Started),
			s.Ended.Sub(s.Started).Round(unit)), ", for 0s"))
	}
	if !r.NothingJudged() {
		sent = r.Traffic()
		if waited := (time.Duration(r.WaitedMS) * time.Millisecond).Round(unit); waited > 0 {
			sent += fmt.Sprintf("; all keys together waited %s for the allowance", waited)
		}
	}
	facts := []Line{{"Tested build", cmp.Or(r.Target.Build, "not given (--build)")}, {"Target", v.Target()},
		{"Environment", cmp.Or(r.Target.Environment, "not given (--environment)")}, {"Reached", way},
		{"When", strings.Join(when, "; ")}, {"Sent", sent}}
	if r.OfClient() {
		facts = []Line{{"Client", cmp.Or(r.Target.Build, "not given (--build)")},
			{"Service", referenceService + ", " + r.Target.URL}, {"When", strings.Join(when, "; ")}, {"Received", sent}}
	}
	facts = append(facts, Line{"Run", fmt.Sprintf("%s, seed %d", r.Run, r.Seed)}, Line{"By", r.Tool})
	if r.Size != "" {
		facts = append(facts, Line{"Size", r.Size})
	}
	for i := range facts {
		facts[i].Text = safe.Clip(safe.Line(facts[i].Text), 200)
	}
	return facts
}

// CreatedWords says how many animals were created, and that they stay.
func (v View) CreatedWords() string {
	return spec.Count(len(v.Results.Created), "animal") + " created; they stay, because the service has no delete"
}

// pageData is what the templates of the page read: the view, and its rows in groups that the page folds.
type pageData struct {
	View
	Plans        []figure.Plan
	Checks       []group[verdict.Check]
	Requirements []group[verdict.Requirement]
	// Risks are the requirements that failed, and those that count and are inconclusive.
	Risks []verdict.Requirement
	// Created are the animals that the page lists. A run of a service creates fewer; clients may create any number.
	Created []verdict.Created
}

// pageOf lays the view out for the page. A check that failed is in its card.
func pageOf(v View) pageData {
	res := v.Results
	d := pageData{View: v, Plans: figure.Of(v.Load), Created: res.Created[:min(len(res.Created), 500)]}
	d.Risks = slices.DeleteFunc(slices.Clone(res.Requirements), func(q verdict.Requirement) bool {
		return !q.Verdict.Failing() && (q.Verdict != verdict.Inconclusive || !res.Counts(q.ID))
	})
	quiet := slices.DeleteFunc(slices.Clone(res.Checks), func(c verdict.Check) bool { return c.Verdict.Failing() })
	d.Checks = grouped(quiet, func(c verdict.Check) string {
		if c.Verdict == verdict.Inconclusive || c.Verdict == verdict.NotRun {
			return ""
		}
		return v.part(c)
	})
	d.Requirements = grouped(res.Requirements, func(r verdict.Requirement) string {
		if r.Verdict.Failing() || r.Verdict == verdict.Inconclusive {
			return ""
		}
		subject, _, _ := strings.Cut(r.Clause[strings.LastIndex(r.Clause, "/ ")+1:], ",")
		return strings.TrimSpace(subject) // listPets of "Endpoints / listPets, limit"
	})
	return d
}

// Again is the command that tests an inconclusive requirement again.
func (v View) Again(q verdict.Requirement) string {
	checks := slices.DeleteFunc(slices.Clone(v.Results.Checks), func(c verdict.Check) bool {
		return c.Verdict != verdict.Inconclusive || !slices.Contains(q.Checks, c.ID)
	})
	return strings.Join(rerun.Check(v.Results, checks...), " ")
}

// group has the rows of a part of the interface. Those that a reader has to see are in the first, which has no name.
type group[T any] struct {
	Name string
	Rows []T
}

func grouped[T any](rows []T, part func(T) string) (all []group[T]) {
	for _, row := range rows {
		i := slices.IndexFunc(all, func(g group[T]) bool { return g.Name == part(row) })
		if i < 0 {
			i, all = len(all), append(all, group[T]{Name: part(row)})
		}
		all[i].Rows = append(all[i].Rows, row)
	}
	slices.SortStableFunc(all, func(a, b group[T]) int { return min(len(a.Name), 1) - min(len(b.Name), 1) })
	return all
}
