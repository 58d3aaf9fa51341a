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

// Name is what was tested, in a few words.
func (v View) Name() string {
	t := v.Results.Target
	switch {
	case safe.Client(v.Results) != "":
		return safe.Clip(safe.Client(v.Results), 80)
	case t.Reference && !v.Results.OfClient():
		return safe.ReferenceService
	case t.Build != "":
		return safe.Clip(safe.Line(t.Build), 80)
	}
	return safe.Clip(safe.Line(safe.Target(v.Results)), 80)
}

// identity tells which run of what this is.
func (v View) identity() []Fact {
	r := v.Results
	facts := []Fact{
		{"Tested build", cmp.Or(r.Target.Build, "not given (--build)")},
		{"Target", safe.Target(r)},
		{"Environment", cmp.Or(r.Target.Environment, "not given (--environment)")},
		{"Reached", reached(r.Target)},
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
		Fact{"Interface", r.InterfaceVersion + ", ledger " + short(r.LedgerDigest)}, Fact{"By", r.Tool}, Fact{"Made from", "results " + short(v.ResultsDigest)})
	facts = slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
	for i := range facts {
		facts[i].Value = safe.Clip(safe.Line(facts[i].Value), 200)
	}
	return facts
}

// reached returns the way to the target and the versions of HTTP of its responses.
func reached(t verdict.Target) string {
	ways := []string{t.Way.String()}
	for _, proto := range slices.Sorted(maps.Keys(t.Protocols)) {
		ways = append(ways, fmt.Sprintf("%s in %s", spec.Count(t.Protocols[proto], "response"), cmp.Or(proto, "an unknown version of HTTP")))
	}
	return strings.Join(ways, "; ")
}

func lasted(r verdict.Results) string {
	took := r.Took()
	if r.Ended.IsZero() || r.Ended.Before(r.Started) {
		return "the run did not end"
	}
	s := took.Round(10 * time.Millisecond).String()
	if waited := (time.Duration(r.WaitedMS) * time.Millisecond).Round(10 * time.Millisecond); waited > took {
		s += fmt.Sprintf("; the keys waited for their allowances side by side, %s added up", waited)
	} else if waited > 0 {
		s += fmt.Sprintf(", %s of it waiting for the allowance", waited)
	}
	return fmt.Sprintf("%s in %s", r.Traffic(), s)
}

// short is the beginning of a digest, enough to compare two.
func short(digest string) string { return digest[:min(len(digest), 12)] }

// Configuration are the settings of the run, without its key, and what ran.
func (v View) Configuration() []Fact {
	r, ran := v.Results, 0
	for _, c := range r.Checks {
		if c.Verdict != verdict.NotRun {
			ran++
		}
	}
	facts := []Fact{{"Kind of run", r.Kind}, {"Strict", yes(r.Strict)}, {"Judged as of", r.AsOf.UTC().Format(time.DateOnly)},
		{"Checks, rules and phases that ran", fmt.Sprintf("%s of %s", spec.Number(ran), spec.Number(len(r.Checks)))},
		{"Ledger", safe.Groups(r.LedgerDigest)}, {"Format of the results", r.Schema}}
	if v.Recording != nil {
		m := v.Recording.Meta
		category := "one that the first listing showed, else 1"
		if m.CategoryID != 0 {
			category = fmt.Sprint(m.CategoryID)
		}
		facts = append(facts, Fact{"Category of created animals", category}, Fact{"Read-only", yes(m.ReadOnly)},
			Fact{"Recorded by", m.Tool}, Fact{"Format of the recording", m.Format})
		if m.Plan != "" {
			facts = append(facts, Fact{"Plan of the key", m.Plan})
		}
	}
	return append(facts, Fact{"API key", "never recorded; read from the environment"})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
