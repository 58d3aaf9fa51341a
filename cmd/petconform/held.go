package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/conformance"
	"petconform/reports"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// compareWithRecording judges the recordings in the folder of a run again, and returns an error if results.json differs: anyone can
// change results.json, and people sign reports. It warns if the folder has no recording, or if another version of petconform made
// it, whose results may differ.
func compareWithRecording(std streams, dir string, said verdict.Results) error {
	recordings, err := readFolder(dir)
	if err != nil {
		return err
	}
	if len(recordings) == 0 {
		paragraph(std.err, "Warning: ", fmt.Sprintf("the results in %s could not be judged again, because the folder has no recording.", dir))
		return nil
	}
	again, err := judgeRecordings(recordings, said.Strict, conformance.JudgeRecording)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if by := again.Results.Tool; by != tool() {
		paragraph(std.err, "Warning: ", fmt.Sprintf("the results in %s were not judged again, because %s made the recording, and this is %s. To judge it with this version: petconform judge %s", dir, by, tool(), dir))
		return nil
	}
	differ := differences(said, again.Results, said.Run == again.Results.Run && finished(again.Recording))
	if n := len(differ); n > mostTold {
		differ = append(differ[:mostTold], fmt.Sprintf("and %d more differ", n-mostTold))
	}
	if len(differ) > 0 {
		return errors.New(dir + " has results that differ from its recording: " + strings.Join(differ, "; ") + "; petconform judge " + dir + " judges the recording")
	}
	return nil
}

// mostTold is the largest number of differences that the error lists.
const mostTold = 5

// finished reports whether a run was not interrupted. The results of an interrupted run may name checks that its recording does
// not have, and never lead to a release.
func finished(rec *exchange.Recording) bool {
	return rec == nil || rec.End != nil && rec.End.Stopped == "" && !rec.Torn
}

// differences returns where the results differ from those of the recordings, apart from waivers. If the recordings are not
// complete (whole is false), as for some of several merged runs, only what they show as broken is compared.
func differences(said, shown verdict.Results, whole bool) []string {
	said, _ = waiver.Apply(said, nil)
	var all []string
	differ := func(what, is, was string) {
		if is != was {
			all = append(all, fmt.Sprintf("%s is %s in %s, but %s in the recording", what, cmp.Or(is, "missing"), reports.ResultsFile, cmp.Or(was, "missing")))
		}
	}
	differ("the target", said.Target.URL, shown.Target.URL)
	differ("the build", said.Target.Build, shown.Target.Build)
	if whole {
		differ("the kind of run", said.Kind, shown.Kind)
	}
	if whole || shown.Verdict == verdict.Deviates {
		differ("the verdict", string(said.Verdict), string(shown.Verdict))
	}
	has, shows := verdictsOf(said), verdictsOf(shown)
	both := maps.Clone(has)
	maps.Copy(both, shows)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if whole || shows[name] == string(verdict.Failed) {
			differ(name, has[name], shows[name])
		}
	}
	return all
}

// verdictsOf returns the verdicts of requirements and checks by kind and id.
func verdictsOf(r verdict.Results) map[string]string {
	all := map[string]string{}
	for _, q := range r.Requirements {
		all["requirement "+string(q.ID)] = string(q.Verdict)
	}
	for _, c := range r.Checks {
		all[string(c.Kind)+" "+c.ID] = string(c.Verdict)
	}
	return all
}
