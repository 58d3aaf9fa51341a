package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/verdict"
)

// mostDiffering is the largest number of differences from results.json that a sentence has.
const mostDiffering = 5

// says returns what results.json claims.
func (one recorded) says() verdict.Results {
	if one.claimed != nil {
		return *one.claimed
	}
	return verdict.Results{}
}

// runs returns the names of the runs that the recordings have. Merged runs have their names joined by +.
func (one recorded) runs() (runs []string) {
	if one.checks != nil {
		runs = strings.Split(one.checks.Meta.Run, "+")
	}
	if one.load != nil {
		runs = append(runs, strings.Split(one.load.Meta.Run, "+")...)
	}
	return runs
}

// foreign says which recording is of another run than results.json names; empty if they agree.
func (one recorded) foreign() string {
	says := one.says()
	if says.Run != "" && one.run != "" && one.run != says.Run {
		return fmt.Sprintf("%s is of the run %s, but %s of the run %s", ReleaseFile, one.run, ResultsFile, says.Run)
	}
	for _, run := range one.runs() {
		if says.Run != "" && !slices.Contains(strings.Split(says.Run, "+"), run) {
			return fmt.Sprintf("a recording is of the run %s, but %s names the run %s; petconform judge FILE judges one recording",
				run, ResultsFile, says.Run)
		}
	}
	return ""
}

// missing says which of several merged runs has no recording; empty if all have one.
func (one recorded) missing() string {
	var gone []string
	for run := range strings.SplitSeq(one.says().Run, "+") {
		if run != "" && !slices.Contains(one.runs(), run) {
			gone = append(gone, run)
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return "there is no recording of the run " + strings.Join(gone, ", ")
}

// differs says where results.json says something else than what was judged, apart from waivers. If the recordings are
// not complete, as those of an interrupted run, only what they show as failed is compared.
func (one recorded) differs(judged Input) (all []string) {
	said, _ := waiver.Apply(*one.claimed, nil)
	has, shows := claims(said), claims(judged.Results)
	rec := judged.Recording
	if whole := said.Run == judged.Results.Run && (rec == nil || rec.End != nil && rec.End.Stopped == "" && !rec.Torn); !whole {
		unbroken := func(name, _ string) bool {
			return shows[name] != string(verdict.Failed) && shows[name] != string(verdict.Deviates)
		}
		maps.DeleteFunc(has, unbroken)
		maps.DeleteFunc(shows, unbroken)
	}
	both := maps.Clone(has)
	maps.Copy(both, shows)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if is, was := shows[name], has[name]; is != was {
			all = append(all, fmt.Sprintf("%s is %q, but %q in %s", name, is, safe.Clip(was, 160), ResultsFile))
		}
	}
	if n := len(all); n > mostDiffering {
		all = append(all[:mostDiffering], fmt.Sprintf("%d more places differ", n-mostDiffering))
	}
	return all
}

// claims returns what results say of a run, by names for a reader.
func claims(r verdict.Results) map[string]string {
	all := map[string]string{"the kind of run": r.Kind, "the run": r.Run, "the verdict": string(r.Verdict),
		"the version that sent it": r.Tool,
		"the target":               r.Target.URL, "the build": r.Target.Build, "the environment": r.Target.Environment,
		"the way to the target":                     r.Target.Way.String(),
		"the use of the built-in reference service": fmt.Sprint(r.Target.Reference),
		"the start": r.Started.UTC().Format(time.RFC3339Nano), "the number of requests": spec.Number(r.Requests)}
	for _, q := range r.Requirements {
		all["requirement "+string(q.ID)] = string(q.Verdict)
	}
	for _, c := range r.Checks {
		all[string(c.Kind)+" "+c.ID] = string(c.Verdict)
	}
	return all
}
