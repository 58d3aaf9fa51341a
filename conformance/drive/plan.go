package drive

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/spec"
)

// Plan is what a run sends and judges.
type Plan struct {
	// Judged lists the checks and rules whose specs run, by id.
	Judged []string
	// Sent lists the checks that are sent: those that are judged, and those whose exchanges they read.
	Sent           []check.Check
	readOnly, deep bool
	// Filtered says that something was left out by choice, so that the run is a part.
	Filtered bool
	// Exploring is how many requests the run spends on generated sequences after the checks.
	Exploring int
}

// Requests returns the number of requests that the plan sends to a lawful target. A quick run leaves out what goes beyond
// its size.
func (p Plan) Requests() int {
	n := p.missing()
	for _, c := range p.Sent {
		n += c.Requests
		if p.deep {
			n += c.Deeper
		}
	}
	if !p.deep {
		return min(n, check.StandardRequests)
	}
	return n
}

// Creates returns the number of animals that the plan creates on a lawful target with an empty store.
func (p Plan) Creates() int {
	n := p.missing()
	for _, c := range p.Sent {
		n += c.Creates
	}
	return n
}

// missing returns the number of animals that a check has to create in addition to those of all other checks.
func (p Plan) missing() int {
	if p.readOnly {
		return 0
	}
	creates, animals := 0, 0
	for _, c := range p.Sent {
		animals = max(animals, c.Animals)
		if c.Send != nil { // else it comes after the check that creates what is missing
			creates += c.Creates
		}
	}
	return max(0, animals-creates)
}

// PlanFor plans a run that judges the subjects with the given ids.
func PlanFor(cfg check.Config, ids []string) Plan {
	p := Plan{Filtered: cfg.ReadOnly || len(cfg.Skip) > 0, readOnly: cfg.ReadOnly, deep: cfg.Deep, Exploring: cfg.Explore}
	var sends, whole []string
	for _, s := range Subjects(cfg) {
		whole = append(whole, s.sends...)
		if slices.Contains(ids, s.ID) {
			p.Judged = append(p.Judged, s.ID)
			sends = append(sends, s.sends...)
		} else {
			p.Filtered = true
		}
	}
	p.Sent = closure(cfg, sends)
	switch {
	case !slices.Contains(p.Judged, check.Explore):
		p.Exploring = 0
	case cfg.Deep && cfg.Explore == 0: // what the checks of a whole run leave of DeepRequests
		p.Exploring = check.DeepRequests - Plan{Sent: closure(cfg, whole), readOnly: cfg.ReadOnly, deep: true}.Requests()
	}
	return p
}

// Whole plans a run that judges everything.
func Whole(cfg check.Config) Plan {
	var ids []string
	for _, s := range Subjects(cfg) {
		ids = append(ids, s.ID)
	}
	return PlanFor(cfg, ids)
}

// closure returns the checks with those ids, those that they need, and the first of every run. Each comes after those
// that it needs or comes after, in the order of a whole run.
func closure(cfg check.Config, ids []string) []check.Check {
	byID := map[string]check.Check{}
	for _, c := range checks.All() {
		byID[c.ID] = c
	}
	wanted := map[string]bool{}
	var want func(id string)
	want = func(id string) {
		if !wanted[id] {
			wanted[id] = true
			for _, n := range byID[id].Needs {
				want(n)
			}
		}
	}
	for _, id := range append([]string{checks.ListAll.ID}, ids...) {
		want(id)
	}
	var out []check.Check
	seen := map[string]bool{}
	var add func(c check.Check)
	add = func(c check.Check) {
		if seen[c.ID] {
			return
		}
		seen[c.ID] = true
		for _, before := range slices.Concat(c.Needs, c.After) {
			add(byID[before])
		}
		if wanted[c.ID] && !(cfg.ReadOnly && c.Writes()) {
			out = append(out, c)
		}
	}
	for n := range turns {
		for _, c := range checks.All() {
			if turn(c) == n {
				add(c)
			}
		}
	}
	return out
}

// LabelFilter translates names into a Ginkgo label filter: a check's or a rule's id, a requirement's id, an operation
// or a level, in any case, with * for any text (LIST-*, auth-*). It is an error when a name matches no label.
func LabelFilter(only, skip []string) (string, error) {
	known := Names()
	var wanted, unwanted []string
	for i, name := range slices.Concat(only, skip) {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, `.*`)
		re, err := regexp.Compile(`^(?i:` + pattern + `)$`)
		if err != nil || strings.Contains(name, "/") || !slices.ContainsFunc(known, re.MatchString) {
			return "", unknown(name, known)
		}
		if i < len(only) {
			wanted = append(wanted, "/"+re.String()+"/")
		} else {
			unwanted = append(unwanted, "!/"+re.String()+"/")
		}
	}
	var all []string
	if len(wanted) > 0 {
		all = append(all, "("+strings.Join(wanted, " || ")+")")
	}
	return strings.Join(append(all, unwanted...), " && "), nil
}

// Names returns every name that selects a check or a rule.
func Names() []string {
	var names []string
	for _, s := range Subjects(check.Config{Explore: 1}) {
		for _, l := range s.Labels {
			if !slices.Contains(names, l) {
				names = append(names, l)
			}
		}
	}
	return names
}

func unknown(name string, known []string) error {
	hint := "petconform list names the checks, petconform list --help the other lists"
	if near := spec.Nearest(name, known); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s? %s", near[0], hint)
	}
	return fmt.Errorf("no check, rule, requirement or operation is called %q; %s", name, hint)
}
