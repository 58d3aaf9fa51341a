package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Fact is a labelled value.
type Fact struct{ Label, Value string }

// Name is what was tested, in a few words.
func (v View) Name() string {
	t := v.Results.Target
	switch {
	case safe.Client(v.Results) != "":
		return safe.Clip(safe.Client(v.Results), 80)
	case t.Reference && !v.Results.OfClient():
		return safe.ReferenceService
	}
	return safe.Clip(safe.Line(cmp.Or(t.Build, safe.Target(v.Results))), 80)
}

// Identity tells which run of what this is.
func (v View) Identity() []Fact {
	r := v.Results
	ways := []string{r.Target.Way.String()}
	for _, proto := range slices.Sorted(maps.Keys(r.Target.Protocols)) {
		ways = append(ways, fmt.Sprintf("%s in %s", spec.Count(r.Target.Protocols[proto], "response"),
			cmp.Or(proto, "an unknown version of HTTP")))
	}
	facts := []Fact{
		{"Tested build", cmp.Or(r.Target.Build, "not given (--build)")},
		{"Target", safe.Target(r)},
		{"Environment", cmp.Or(r.Target.Environment, "not given (--environment)")},
		{"Reached", strings.Join(ways, "; ")},
		{"When", safe.Time(r.Started)},
		{"Sent", lasted(r)},
	}
	if r.OfClient() {
		facts = []Fact{
			{"Client", cmp.Or(safe.Client(r), "no User-Agent was sent")},
			{"Service", safe.ReferenceService + ", " + r.Target.URL},
			{"When", safe.Time(r.Started)},
			{"Received", lasted(r)},
		}
	}
	facts = append(facts, Fact{"Run", fmt.Sprintf("%s, seed %d", r.Run, r.Seed)}, Fact{"Size", r.Size},
		Fact{"Interface", r.InterfaceVersion + ", ledger " + short(r.LedgerDigest)}, Fact{"By", r.Tool},
		Fact{"Made from", "results " + short(v.ResultsDigest)})
	facts = slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
	for i := range facts {
		facts[i].Value = safe.Clip(safe.Line(facts[i].Value), 200)
	}
	return facts
}

func lasted(r verdict.Results) string {
	if r.Ended.IsZero() || r.Ended.Before(r.Started) {
		return "the run did not end"
	}
	s := fmt.Sprintf("%s in %s", r.Traffic(), r.Took().Round(10*time.Millisecond))
	if waited := (time.Duration(r.WaitedMS) * time.Millisecond).Round(10 * time.Millisecond); waited > 0 {
		s += fmt.Sprintf("; all keys together waited %s for the allowance", waited)
	}
	return s
}

// short is the beginning of a digest, enough to compare two.
func short(digest string) string { return digest[:min(len(digest), 12)] }

// Configuration are the settings of the run, without its key.
func (v View) Configuration() []Fact {
	r, yes := v.Results, map[bool]string{true: "yes", false: "no"}
	facts := []Fact{{"Kind of run", r.Kind}, {"Strict", yes[r.Strict]}, {"Judged as of", r.AsOf.UTC().Format(time.DateOnly)},
		{"Ledger", safe.Groups(r.LedgerDigest)}, {"Format of the results", r.Schema}, {"API key", "never recorded"}}
	if v.Recording != nil {
		m := v.Recording.Meta
		facts = append(facts, Fact{"Category of created animals", fmt.Sprint(m.CategoryID) + " (0: that of an animal listed, else 1)"},
			Fact{"Read-only", yes[m.ReadOnly]}, Fact{"Recorded by", m.Tool}, Fact{"Plan of the key", cmp.Or(m.Plan, "not given")})
	}
	return facts
}

// CreatedWords says how many animals were created, and that they stay.
func (v View) CreatedWords() string {
	n := spec.Count(len(v.Results.Created), "animal")
	if v.Results.OfClient() {
		return n + " created by the clients"
	}
	return n + " created; they stay, because the service has no delete"
}
