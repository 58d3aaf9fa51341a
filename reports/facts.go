package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports/figure"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// referenceService is what reports call the reference service that petconform runs itself.
const referenceService = "the built-in reference service"

// Target names what was judged, with its address. It says so if that was the built-in reference service or clients.
func (v View) Target() string {
	switch t := v.Results.Target; {
	case v.client() != "":
		return "client " + v.client() + " of " + t.URL
	case v.Results.OfClient():
		return "the clients of " + t.URL
	case t.Reference:
		return referenceService + ", " + t.URL
	}
	return v.Results.Target.URL
}

// client names the client that was judged: by its build if that was given, else by its User-Agents. It is "" for a
// service.
func (v View) client() string {
	switch r := v.Results; {
	case !r.OfClient():
		return ""
	case r.Target.Build == "" && r.Client != nil:
		return safe.Line(spec.List(r.Client.Agents))
	}
	return safe.Line(v.Results.Target.Build)
}

// Name is what was tested, in a few words.
func (v View) Name() string {
	name := cmp.Or(v.client(), v.Results.Target.Build, v.Target())
	if v.Results.Target.Reference && !v.Results.OfClient() {
		name = referenceService
	}
	return safe.Clip(safe.Line(name), 80)
}

// Identity tells which run of what this is.
func (v View) Identity() []Line {
	r := v.Results
	ways := []string{r.Target.Way.String()}
	for _, proto := range slices.Sorted(maps.Keys(r.Target.Protocols)) {
		ways = append(ways, fmt.Sprintf("%s in %s", spec.Count(r.Target.Protocols[proto], "response"),
			cmp.Or(proto, "an unknown version of HTTP")))
	}
	sent := "the run did not end"
	if r.NothingJudged() {
		sent = "nothing"
	} else if !r.Ended.IsZero() && !r.Ended.Before(r.Started) {
		sent = fmt.Sprintf("%s in %s", r.Traffic(), r.Took().Round(10*time.Millisecond))
		if waited := (time.Duration(r.WaitedMS) * time.Millisecond).Round(10 * time.Millisecond); waited > 0 {
			sent += fmt.Sprintf("; all keys together waited %s for the allowance", waited)
		}
	}
	facts := []Line{{"Tested build", cmp.Or(r.Target.Build, "not given (--build)")}, {"Target", v.Target()},
		{"Environment", cmp.Or(r.Target.Environment, "not given (--environment)")}, {"Reached", strings.Join(ways, "; ")},
		{"When", safe.Time(r.Started)}, {"Sent", sent}}
	if r.OfClient() {
		facts = []Line{{"Client", cmp.Or(v.client(), "no User-Agent was sent")},
			{"Service", referenceService + ", " + r.Target.URL}, {"When", safe.Time(r.Started)}, {"Received", sent}}
	}
	short := func(digest string) string { return digest[:min(len(digest), 12)] } // enough to compare two
	facts = append(facts, Line{"Run", fmt.Sprintf("%s, seed %d", r.Run, r.Seed)}, Line{"Size", r.Size},
		Line{"Interface", r.InterfaceVersion + ", ledger " + short(r.LedgerDigest)}, Line{"By", r.Tool},
		Line{"Made from", "results " + short(v.ResultsDigest)})
	facts = slices.DeleteFunc(facts, func(f Line) bool { return f.Text == "" })
	for i := range facts {
		facts[i].Text = safe.Clip(safe.Line(facts[i].Text), 200)
	}
	return facts
}

// Configuration are the settings of the run, without its key.
func (v View) Configuration() []Line {
	r, yes := v.Results, map[bool]string{true: "yes", false: "no"}
	facts := []Line{{"Kind of run", r.Kind}, {"Strict", yes[r.Strict]},
		{"Judged as of", r.AsOf.UTC().Format(time.DateOnly)}, {"Ledger", safe.Groups(r.LedgerDigest)}, {"Format of the results", r.Schema}, {"API key", "never recorded"}}
	if v.Recording != nil {
		m := v.Recording.Meta
		category := fmt.Sprint(m.CategoryID) + " (0: that of an animal listed, else 1)"
		facts = append(facts, Line{"Category of created animals", category}, Line{"Read-only", yes[m.ReadOnly]},
			Line{"Recorded by", m.Tool}, Line{"Plan of the key", cmp.Or(m.Plan, "not given")})
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
	// Questions are the open ones.
	Questions []verdict.Requirement
	// Created are the animals that the page lists. A run of a service creates fewer; clients may create any number.
	Created []verdict.Created
}

// pageOf lays the view out for the page. A check that failed is in its card.
func pageOf(v View) pageData {
	d := pageData{View: v, Plans: figure.Of(v.Load), Created: v.Results.Created[:min(len(v.Results.Created), 500)]}
	for _, c := range v.Results.Checks {
		if !c.Verdict.Failing() {
			d.Checks = grouped(d.Checks, c, v.part(c), c.Verdict == verdict.Inconclusive || c.Verdict == verdict.NotRun)
		}
	}
	for _, r := range v.Results.Requirements {
		// listPets of "Endpoints / listPets, limit"
		subject, _, _ := strings.Cut(r.Clause[strings.LastIndex(r.Clause, "/ ")+1:], ",")
		open := r.Verdict.Failing() || r.Verdict == verdict.Inconclusive
		d.Requirements = grouped(d.Requirements, r, strings.TrimSpace(subject), open)
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
