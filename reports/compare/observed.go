package compare

import (
	"cmp"
	"fmt"
	"slices"

	"petconform/spec/verdict"
)

func observations(old, now []verdict.Observation) []Observation {
	type question struct{ requirement, key string }
	was := map[question]string{}
	for _, o := range old {
		was[question{string(o.Requirement), o.Key}] = o.Value
	}
	out := []Observation{}
	seen := map[question]bool{}
	for _, o := range now {
		q := question{string(o.Requirement), o.Key}
		seen[q] = true
		if before := was[q]; before != o.Value {
			out = append(out, Observation{o.Requirement, o.Key, before, o.Value})
		}
	}
	for _, o := range old {
		if !seen[question{string(o.Requirement), o.Key}] {
			out = append(out, Observation{o.Requirement, o.Key, o.Value, ""})
		}
	}
	slices.SortStableFunc(out, func(a, b Observation) int {
		return cmp.Or(cmp.Compare(a.Requirement, b.Requirement), cmp.Compare(a.Key, b.Key))
	})
	return out
}

// remarks name what else differs between the runs, so that nobody puts it down to the service.
func remarks(old, now verdict.Results) []string {
	var out []string
	if old.Kind != now.Kind {
		out = append(out, fmt.Sprintf("one run is of the kind %s, the other one of the kind %s", old.Kind, now.Kind))
	}
	if old.LedgerDigest != now.LedgerDigest {
		out = append(out, "the ledgers differ, so the two runs were judged by different statements")
	}
	if old.Tool != now.Tool {
		out = append(out, fmt.Sprintf("two versions of petconform made the runs: %s and %s", old.Tool, now.Tool))
	}
	if old.Strict != now.Strict {
		out = append(out, "one of the runs is strict (should counts as must), the other is not")
	}
	return out
}

// ordered returns the remarks on runs of one target.
func ordered(old, now verdict.Results) []string {
	var out []string
	if old.Target.URL != now.Target.URL {
		out = append(out, fmt.Sprintf("the targets differ: %s, now %s", old.Target.URL, now.Target.URL))
	}
	if now.Started.Before(old.Started) {
		out = append(out, "the newer run started before the older one")
	}
	return out
}
