package page

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports/cause"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// view is what the templates read.
type view struct {
	Source
	Policy string
	Style  template.CSS
	Script template.JS
	Checks []checkView
	Load   *loadView

	causes    []cause.Cause
	exchanges map[int]exchange.Exchange
	last      map[spec.ID]verdict.Verdict
	proofs    map[spec.ID]spec.Proof
}

func newView(s Source) (*view, error) {
	v := &view{Source: s, causes: cause.Of(s.Results), Policy: policy, Style: pageStyle, Script: pageScript,
		exchanges: map[int]exchange.Exchange{}, last: map[spec.ID]verdict.Verdict{}, proofs: map[spec.ID]spec.Proof{}}
	if s.Recording != nil {
		for _, x := range s.Recording.Exchanges {
			v.exchanges[x.N] = x
		}
	}
	if s.Previous != nil {
		for _, r := range s.Previous.Requirements {
			v.last[r.ID] = r.Verdict
		}
	}
	for _, r := range spec.TheLedger().Requirements {
		v.proofs[r.ID] = r.Proof
	}
	for _, c := range s.Results.Checks {
		v.Checks = append(v.Checks, v.check(c))
	}
	// Failures first, so that they are found without a filter, in the order of their causes; then the order of the run
	// stays.
	place := placesOf(v.causes)
	slices.SortStableFunc(v.Checks, func(a, b checkView) int { return cmp.Or(weight(a)-weight(b), place(a)-place(b)) })
	first := map[string]*checkView{}
	for i := range v.Checks {
		first[v.Checks[i].ID] = &v.Checks[i]
	}
	for i := range v.Checks {
		c := &v.Checks[i]
		if p := place(*c); p < len(v.causes) && v.causes[p].Places[0].Check.ID != c.ID {
			c.Like = v.causes[p].Places[0].Check.ID
			first[c.Like].Likes = append(first[c.Like].Likes, c.ID)
		}
	}
	var err error
	v.Load, err = newLoad(s.Results)
	return v, err
}

// weight orders failures: those that break a must come first.
func weight(c checkView) int {
	w := 2 * rank(c.Verdict)
	if c.Minor {
		w++
	}
	return w
}

// placesOf returns the position of each failed check, that of the first cause that it shows, so that checks are in the
// order of Fix first.
func placesOf(causes []cause.Cause) func(checkView) int {
	first := map[string]int{}
	for i, one := range slices.Backward(causes) {
		for _, p := range one.Places {
			first[p.Check.ID] = i
		}
	}
	return func(c checkView) int {
		if i, known := first[c.ID]; known {
			return i
		}
		return len(causes)
	}
}

func rank(v verdict.Verdict) int { return slices.Index(verdict.Order(), v) }

// Title is also the title of the window, so that a browser's tab shows the verdict.
func (v *view) Title() string {
	return fmt.Sprintf("%s: %s", v.Decision.Headline, v.Name())
}

// Name is what was tested, in a few words.
func (v *view) Name() string {
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

// Word is the one word of the headline, and Beyond the rest: what the run does not cover.
func (v *view) Word() string {
	word, _, _ := strings.Cut(v.Decision.Headline, ", ")
	return word
}

// Beyond is what the headline says after its word.
func (v *view) Beyond() string {
	_, beyond, _ := strings.Cut(v.Decision.Headline, ", ")
	return beyond
}

type fact struct{ Label, Value string }

// Report is what kind of a report this is.
func (v *view) Report() string {
	if v.Results.OfClient() {
		return "Client of the pet adoption service"
	}
	return "Pet adoption service, report"
}

// Identity tells which run of what this is.
func (v *view) Identity() []fact {
	r := v.Results
	facts := []fact{
		{"Tested build", cmp.Or(r.Target.Build, "not given (--build)")},
		{"Target", safe.Target(r)},
		{"Environment", cmp.Or(r.Target.Environment, "not given (--environment)")},
		{"Reached", reached(r.Target)},
		{"When", safe.Time(r.Started)},
		{"Sent", lasted(r)},
	}
	if r.OfClient() {
		facts = []fact{
			{"Client", cmp.Or(safe.Client(r), "no User-Agent was sent")},
			{"Service", safe.ReferenceService + ", " + r.Target.URL},
			{"When", safe.Time(r.Started)},
			{"Received", lasted(r)},
		}
	}
	facts = append(facts, []fact{
		{"Run", r.Run + ", seed " + fmt.Sprint(r.Seed)},
		{"Size", r.Size},
		{"Interface", r.InterfaceVersion + ", ledger " + short(r.LedgerDigest)},
		{"By", r.Tool},
		{"Made from", "results " + short(v.ResultsDigest)},
	}...)
	facts = slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
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
	if r.WaitedMS > 0 {
		waited := (time.Duration(r.WaitedMS) * time.Millisecond).Round(10 * time.Millisecond)
		if waited <= took {
			s += fmt.Sprintf(", %s of it waiting for the allowance", waited)
		} else { // keys that run side by side wait side by side
			s += fmt.Sprintf("; the keys waited for their allowances side by side, %s added up", waited)
		}
	}
	return fmt.Sprintf("%s in %s", r.Traffic(), s)
}

// short is the beginning of a digest, enough to compare two. The section Sign-off has the whole.
func short(digest string) string { return digest[:min(len(digest), 12)] }

// Before names the run that this one is compared with, as a tab of the page has room for.
func (v *view) Before() string {
	return safe.Clip(v.Diff.Old.Name(), 24)
}

// HasCheck reports whether the page has an anchor for a check. A check that was removed is only in the comparison.
func (v *view) HasCheck(id string) bool {
	_, has := v.Results.Check(id)
	return has
}

// HasRequirement reports whether the page has an anchor for a requirement.
func (v *view) HasRequirement(id spec.ID) bool {
	_, known := v.Results.Requirement(id)
	return known
}
