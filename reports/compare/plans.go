package compare

import (
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// plans names the plans that a run loaded.
func plans(res verdict.Results) []string {
	r, _ := judge.ParseReport(res.Load)
	names := make([]string, len(r.Plans))
	for i, p := range r.Plans {
		names[i] = safe.Line(p.Plan)
	}
	return names
}

// loaded reports whether a run of these plans had a check: all checks and rules, and of the phases those of its plans.
// A plan that was not loaded this time is no change of the suite.
func loaded(c verdict.Check, plans []string) bool {
	return c.Kind != verdict.Phase || slices.ContainsFunc(plans, func(plan string) bool { return OfPlan(c, plan) })
}

// OfPlan reports whether a phase loaded the plan.
func OfPlan(c verdict.Check, plan string) bool {
	return strings.HasPrefix(c.ID, record.CheckID(plan, ""))
}

// otherPlans says which plans only one of the runs loaded.
func otherPlans(then, now []string) []string {
	var out []string
	for _, plan := range then {
		if !slices.Contains(now, plan) {
			out = append(out, "the older run loaded the plan "+plan+", and the newer one did not")
		}
	}
	for _, plan := range now {
		if !slices.Contains(then, plan) {
			out = append(out, "the newer run loaded the plan "+plan+", and the older one did not")
		}
	}
	return out
}
