package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Merge merges what several runs against one target found: a check and a load. It keeps all findings. A requirement holds
// if it holds in one run and is broken in none. If a run has no verdict, the whole has none, unless another run deviates.
// It is an error if the runs have different targets or builds.
func Merge(parts ...verdict.Results) (verdict.Results, error) {
	first := parts[0]
	if len(parts) == 1 {
		return first, nil
	}
	w := first
	w.Kind, w.Checks, w.Created, w.Requirements, w.Observations = "signoff", []verdict.Check{}, []verdict.Created{}, nil, nil
	w.Load, w.Warnings, w.Runs, w.Requests, w.WaitedMS, w.Target.Protocols = nil, nil, nil, 0, 0, nil
	var validity verdict.Validity
	for i, r := range parts {
		switch {
		case r.Target.URL != first.Target.URL:
			return w, fmt.Errorf("run %d is of %s, the first of %s; one report is about one target", i+1,
				r.Target.URL, first.Target.URL)
		case r.Target.Build != first.Target.Build:
			return w, fmt.Errorf("run %d is of build %q, the first of %q; one report is about one build", i+1,
				r.Target.Build, first.Target.Build)
		}
		merge(&w, r)
		// Requirements that are inconclusive in this run, or that it left out, are summed again with the other runs.
		validity.Part = validity.Part || r.Part != nil
		why := r.Reasons
		if r.Verdict == verdict.Deviates {
			why = r.OwnReasons()
		}
		if r.Verdict != verdict.Conforms && len(why) > 0 && len(r.Inconclusive) == 0 && (r.Part == nil || !r.Part.Holds) {
			validity.Incomplete = append(validity.Incomplete, fmt.Sprintf("%s run %s: %s", r.Kind, r.Run, why.String()))
		}
	}
	w.Conclude(validity)
	return w, nil
}

func merge(w *verdict.Results, r verdict.Results) {
	for _, c := range r.Checks {
		if r.Kind == "load" && c.Kind != verdict.Phase {
			c.Exchanges = []int{} // their numbers would be those of other exchanges; cases say which phase sent theirs
		}
		w.Checks = verdict.MergeCheck(w.Checks, c)
	}
	for _, q := range r.Requirements {
		w.Requirements = verdict.MergeRequirement(w.Requirements, q)
	}
	w.Created, w.Warnings = append(w.Created, r.Created...), spec.With(w.Warnings, r.Warnings...)
	w.Observations = spec.With(w.Observations, r.Observations...)
	w.Target.Way = w.Target.Way.With(r.Target.Way)
	for proto, n := range r.Target.Protocols {
		w.Target.Answered(proto, n)
	}
	w.Load = append(w.Load, r.Load...)
	w.Requests, w.WaitedMS, w.Strict = w.Requests+r.Requests, w.WaitedMS+r.WaitedMS, w.Strict || r.Strict
	w.Runs = append(w.Runs, r.Spans()...)
	if r.AnotherDay() != "" || w.AnotherDay() == "" && r.Started.Before(w.Started) {
		w.AsOf = r.AsOf
	}
	w.Started = slices.MinFunc([]time.Time{w.Started, r.Started}, time.Time.Compare)
	w.Ended = slices.MaxFunc([]time.Time{w.Ended, r.Ended}, time.Time.Compare)
	if !strings.Contains(w.Run, r.Run) {
		w.Run += "+" + r.Run
	}
}
