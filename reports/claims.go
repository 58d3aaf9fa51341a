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

// foreign says which recording is of another run than results.json names, or which of several merged runs has none;
// empty if they agree. Merged runs have their names joined by +.
func (one recorded) foreign() string {
	if one.claimed == nil || one.claimed.Run == "" {
		return ""
	}
	says := one.claimed.Run
	if one.run != "" && one.run != says {
		return fmt.Sprintf("%s is of the run %s, but %s of the run %s", ReleaseFile, one.run, ResultsFile, says)
	}
	var runs []string
	if one.checks != nil {
		runs = strings.Split(one.checks.Meta.Run, "+")
	}
	if one.load != nil {
		runs = append(runs, strings.Split(one.load.Meta.Run, "+")...)
	}
	named := strings.Split(says, "+")
	for _, run := range runs {
		if !slices.Contains(named, run) {
			return fmt.Sprintf("a recording is of the run %s, but %s names the run %s; petconform judge FILE judges one recording",
				run, ResultsFile, says)
		}
	}
	gone := slices.DeleteFunc(named, func(run string) bool { return slices.Contains(runs, run) })
	if len(gone) == 0 {
		return ""
	}
	return "there is no recording of the run " + strings.Join(gone, ", ")
}

// differs says where results.json says something else than what was judged, apart from waivers. The recording of a run
// that was interrupted need not show all that results.json says.
func (one recorded) differs(judged Input) (all []string) {
	rec := judged.Recording
	if one.claimed == nil || rec != nil && (rec.End == nil || rec.End.Stopped != "" || rec.Torn) {
		return nil
	}
	said, _ := waiver.Apply(*one.claimed, nil)
	has, shows := claims(said), claims(judged.Results)
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
		"the version that sent it": r.Tool, "the target": r.Target.URL, "the build": r.Target.Build,
		"the environment": r.Target.Environment, "the way to the target": r.Target.Way.String(),
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
