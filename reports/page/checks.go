package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/reports/compare"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// checkView is a check as the page shows it.
type checkView struct {
	verdict.Check
	// Unfold shows how to run it again: the check failed or is inconclusive. Minor says that the failure breaks no
	// must.
	Unfold bool
	Minor  bool
	// Like is the check that shows the same cause before; its evidence stands for this one's, which stays folded.
	Like string
	// Likes are the checks of which this is the Like. On paper they are a line of this one.
	Likes []string
	// Proves are the requirements to show in full: those of its findings, or else the first. Beside are the others.
	Proves, Beside []verdict.Requirement
	Findings       []findingView
	// Sent describes its exchanges, a line each. More is the number of those that are left out.
	Sent []string
	More int
	// Since says whether it failed before.
	Since       string
	Again, Curl string
}

type findingView struct {
	verdict.Finding
	safe.Difference
	// After is the exchange on which the finding rests, before that which breaks the requirement.
	After, Exchange *exchangeView
	// Elsewhere names the exchange if it is not in the recording that the page shows.
	Elsewhere string
}

// Bounds of what the page shows of a check, so that a page of a thousand checks opens.
const (
	sentOfPass    = 3
	sentOfFailure = 12
	textShown     = 1200
	curlWidth     = 100
)

func (v *view) check(c verdict.Check) checkView {
	out := checkView{Check: c, Unfold: c.Verdict == verdict.Failed || c.Verdict == verdict.Inconclusive,
		Again: strings.Join(rerun.Check(v.Results, c), " ")}
	for _, id := range c.Requirements {
		switch r, known := v.Results.Requirement(id); {
		case !known:
		case verdict.Names(c.Findings, id), len(c.Findings) == 0 && (len(out.Proves) == 0 || c.Verdict.Failing()):
			out.Proves = append(out.Proves, r)
		default:
			out.Beside = append(out.Beside, r)
		}
	}
	shown := map[int]bool{}
	for _, f := range c.Findings {
		fv := findingView{Finding: f, Difference: safe.Differ(f, textShown)}
		x, ok := v.exchanges[f.Exchange]
		switch {
		case v.underLoad(c) && f.Exchange > 0:
			fv.Elsewhere = fmt.Sprintf("Exchange %d of %s", f.Exchange, loadRecording)
		case ok && !v.underLoad(c) && !shown[f.Exchange]:
			shown[f.Exchange] = true
			fv.Exchange = showExchange(x)
			if before, ok := v.exchanges[f.After]; ok {
				fv.After = showExchange(before)
			}
			if out.Curl == "" && !v.Results.Target.Reference {
				out.Curl = strings.Join(rerun.Lines(rerun.Curl(v.Results.Target, x), curlWidth), "\n")
			}
		}
		out.Findings = append(out.Findings, fv)
	}
	out.Minor = c.Verdict == verdict.Failed && !v.Results.Breaks(c)
	v.sent(&out)
	out.Since = v.since(c)
	repeats := func(f verdict.Finding) bool { return strings.Contains(f.Actual, c.Evidence) }
	if c.Verdict.Failing() && (c.Kind == verdict.Active || slices.ContainsFunc(c.Findings, repeats)) {
		out.Evidence = "" // the evidence is that of a pass, or repeats the finding
	}
	return out
}

// Opened reports whether the page shows the details from the start.
func (c checkView) Opened() bool { return c.Unfold && c.Like == "" }

// loadRecording is the recording to which the exchange numbers of phases refer. It is too large to be shown.
const loadRecording = "load-recording.jsonl"

// underLoad reports whether a check's exchanges are in the load's recording.
func (v *view) underLoad(c verdict.Check) bool {
	return c.Kind == verdict.Phase || v.Results.Kind == "load"
}

// sent describes the first exchanges of a check, and more of a failed one.
func (v *view) sent(out *checkView) {
	most := sentOfPass
	if len(out.Check.Findings) > 0 {
		most = sentOfFailure
	}
	if n := len(out.Exchanges); n > 0 && v.underLoad(out.Check) {
		if n == 1 && len(out.Findings) > 0 {
			return // its finding names it
		}
		numbers := make([]string, min(n, most))
		for i := range numbers {
			numbers[i] = strconv.Itoa(out.Exchanges[i])
		}
		out.Sent, out.More = []string{fmt.Sprintf("%s of %s: %s", spec.Count(n, "exchange"), loadRecording, strings.Join(numbers, ", "))}, 0
		if n > most {
			out.Sent[0] += ", …"
		}
		return
	}
	for _, n := range out.Exchanges {
		x, ok := v.exchanges[n]
		if len(out.Sent) == most || !ok {
			out.More++
			continue
		}
		out.Sent = append(out.Sent, safe.Sent(x)+" → "+safe.Came(x))
	}
}

// since says what became of a failing check in the earlier run, if the page has one that was judged.
func (v *view) since(c verdict.Check) string {
	if v.Diff == nil || v.Diff.Claimed != "" || !c.Verdict.Failing() {
		return ""
	}
	has := func(all []compare.Change) bool {
		return slices.ContainsFunc(all, func(d compare.Change) bool { return d.Check == c.ID })
	}
	switch {
	case has(v.Diff.Untested):
		return "It was not tested before: the run before did not send the request that fails."
	case has(v.Diff.NewlyFailing):
		return "It did not fail in the run before."
	case has(v.Diff.StillFailing):
		return "It failed in the run before too."
	}
	return "The run before did not have this check."
}

// filterWord is the verdict in the form of the page's hash and of the row's attribute: with - for spaces.
func filterWord(v verdict.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }

// proof words for the requirements that no check stands for.
func (v *view) unproved(id spec.ID) string {
	switch v.proofs[id] {
	case spec.ByLoad:
		return "a load run"
	case spec.ByTwo:
		return "a comparison of two targets"
	case spec.ByNothing:
		return "none can be"
	}
	return "none"
}
