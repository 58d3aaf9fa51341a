package run

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Plan is what a run sends and judges.
type Plan struct {
	// Judged lists the subjects whose specs run, by id.
	Judged []string
	// Sent lists the checks that are sent: those that are judged, and those whose exchanges they read.
	Sent []plan.Check
	// Filtered says that something was left out by choice, so that the run is a part.
	Filtered bool
	// Exploring is how many requests the run spends on generated sequences after the checks.
	Exploring int
	full      bool
}

// Count is how many requests the plan sends to a lawful target, and how many animals it creates there.
func (p Plan) Count() (requests, creates int) {
	requests, creates = plan.Count(p.Sent, p.full)
	return requests + p.Exploring, creates
}

// Subjects are those of a run with the configuration: of a full one, where the size is still open. Skip leaves some out.
func Subjects(cfg Config) []judge.Subject {
	return slices.DeleteFunc(judge.Subjects(cfg.Deep, cfg.ReadOnly, cfg.Deep || cfg.Explore > 0), func(s judge.Subject) bool {
		return slices.ContainsFunc(cfg.Skip, func(name string) bool { return slices.Contains(s.Labels, name) })
	})
}

// PlanFor plans a run that judges the subjects with the given ids.
func PlanFor(cfg Config, ids []string) Plan {
	p := Plan{Filtered: cfg.ReadOnly || len(cfg.Skip) > 0, Exploring: cfg.Explore, full: cfg.Deep}
	var sends []string
	for _, s := range Subjects(cfg) {
		if !slices.Contains(ids, s.ID) {
			p.Filtered = true
			continue
		}
		p.Judged, sends = append(p.Judged, s.ID), append(sends, s.Sends...)
	}
	p.Sent = plan.Sent(sends, cfg.Deep, cfg.ReadOnly)
	switch {
	case !slices.Contains(p.Judged, judge.ExploreID):
		p.Exploring = 0
	case cfg.Deep && cfg.Explore == 0: // what the checks of a whole run leave
		checks, _ := plan.Count(plan.Sent(plan.IDs(), cfg.Deep, cfg.ReadOnly), true)
		p.Exploring = plan.FullRequests - checks
	}
	return p
}

// Whole plans a run that judges everything.
func Whole(cfg Config) Plan {
	var ids []string
	for _, s := range Subjects(cfg) {
		ids = append(ids, s.ID)
	}
	return PlanFor(cfg, ids)
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

// Names returns every name that selects a subject.
func Names() []string {
	var names []string
	for _, s := range Subjects(Config{Meta: exchange.Meta{Deep: true}}) {
		names = spec.With(names, s.Labels...)
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
