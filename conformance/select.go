package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/rules"
)

// Selection is what a run sends and judges.
type Selection struct {
	// Judged and Rules are judged; Sent is what is sent: the judged checks and those whose exchanges they read.
	Judged []Check
	Sent   []Check
	Rules  []rules.Rule
	// Filtered says that something was left out by choice.
	Filtered bool
	// Explore is how many requests more are spent on generated sequences, when the checks are through.
	Explore int
}

// Select chooses checks and rules. only and skip hold names: a check's or a rule's id, a requirement's id, an operation, or
// a pattern of one (LIST-*, auth-*). A name that matches nothing is an error, since a run that it silently emptied would
// seem to pass.
func Select(only, skip []string, readOnly bool) (Selection, error) {
	checks, all := Checks(), rules.All()
	for _, name := range slices.Concat(only, skip) {
		if err := nameKnown(name, checks, all); err != nil {
			return Selection{}, err
		}
	}
	wanted := func(subject target) bool {
		return (len(only) == 0 || subject.matchesAny(only)) && !subject.matchesAny(skip)
	}
	s := Selection{Filtered: len(only) > 0 || len(skip) > 0 || readOnly}
	for _, c := range checks {
		if wanted(ofCheck(c)) && !(readOnly && c.Writes()) {
			s.Judged = append(s.Judged, c)
		}
	}
	for _, r := range all {
		if wanted(ofRule(r)) {
			s.Rules = append(s.Rules, r)
		}
	}
	if len(s.Judged) == 0 && len(s.Rules) == 0 {
		return s, fmt.Errorf("nothing is selected: --only %s leaves nothing after --skip %s", strings.Join(only, ","), strings.Join(skip, ","))
	}
	roots := s.Judged
	if len(only) > 0 && len(s.Judged) == 0 { // rules alone: they read the standard run
		roots = keepIf(checks, func(c Check) bool { return !(readOnly && c.Writes()) })
	}
	s.Sent = closure(checks, roots, readOnly)
	return s, nil
}

// closure adds the checks whose exchanges the chosen ones read, and the first request of every run.
func closure(all, chosen []Check, readOnly bool) []Check {
	need := map[string]bool{listAll.ID: true}
	var add func(c Check)
	byID := map[string]Check{}
	for _, c := range all {
		byID[c.ID] = c
	}
	add = func(c Check) {
		need[c.ID] = true
		for _, id := range c.After {
			if !need[id] {
				add(byID[id])
			}
		}
	}
	for _, c := range chosen {
		add(c)
	}
	return keepIf(all, func(c Check) bool { return need[c.ID] && !(readOnly && c.Writes()) })
}

// target is what a name of --only and --skip can mean.
type target struct {
	id           string
	operation    spec.Operation
	requirements []spec.ID
}

func ofCheck(c Check) target     { return target{c.ID, c.Operation, c.Proves} }
func ofRule(r rules.Rule) target { return target{r.ID, "", r.Proves} }

func (t target) names() []string {
	names := []string{t.id}
	if t.operation != "" {
		names = append(names, string(t.operation))
	}
	for _, r := range t.requirements {
		names = append(names, string(r))
	}
	return names
}

func (t target) matchesAny(patterns []string) bool {
	for _, n := range t.names() {
		for _, p := range patterns {
			if ok, err := path.Match(strings.ToLower(p), strings.ToLower(n)); ok && err == nil {
				return true
			}
		}
	}
	return false
}

func nameKnown(name string, checks []Check, all []rules.Rule) error {
	if _, err := path.Match(name, ""); err != nil {
		return fmt.Errorf("%q is no pattern that can be read: %w", name, err)
	}
	var names []string
	for _, c := range checks {
		if ofCheck(c).matchesAny([]string{name}) {
			return nil
		}
		names = append(names, ofCheck(c).names()...)
	}
	for _, r := range all {
		if ofRule(r).matchesAny([]string{name}) {
			return nil
		}
		names = append(names, ofRule(r).names()...)
	}
	hint := "petconform list names them all"
	if near := Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return fmt.Errorf("no check, rule, requirement or operation is called %q; %s", name, hint)
}

// Nearest gives the name that is fewest letters away from a misspelt one, "" when none is near.
func Nearest(name string, names []string) string {
	best, least := "", max(2, len(name)/3)+1
	for _, n := range names {
		if d := spec.EditDistance(strings.ToLower(name), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	return best
}
