package compare

import (
	"fmt"
	"slices"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// request names a request of a run. In each run with the same seed, the same name means the same request.
type request struct{ check, step string }

// errorCodes is a question whose observation depends on the requests of a run; pairs of responses answer it.
const errorCodes spec.ID = "ERROR-6"

// lastOfEach returns the last response to each request, since a request is repeated until a replica shows an animal.
// Generated sequences are left out: they depend on what the target answers.
func lastOfEach(h *history.History) map[request]history.Exchange {
	last := map[request]history.Exchange{}
	for _, x := range h.All {
		if x.Answered() && !x.Limited() && x.Check != explore.CheckID && x.Check != client.OutageCheck {
			last[request{x.Check, x.Step}] = x
		}
	}
	return last
}

// pairs compares the responses to the same request: the status, unless the check is among those reported, and the code
// of an error.
func pairs(h, t *history.History, reported map[string]bool) []verdict.Answers {
	mine, yours := lastOfEach(h), lastOfEach(t)
	var out []verdict.Answers
	here, there := forms{}, forms{}
	for key, a := range mine {
		b, both := yours[key]
		switch ca, cb := code(a), code(b); {
		case !both:
		case a.Status() != b.Status():
			if !reported[key.check] {
				out = append(out, verdict.Answers{Question: fmt.Sprintf("%s in the check %s, %s", a.Operation, key.check, key.step),
					Here: fmt.Sprint(a.Status()), There: fmt.Sprint(b.Status())})
			}
		case ca != cb && ca != "" && cb != "":
			here.add(errorCodes, fmt.Sprintf("code of a %d", a.Status()), ca)
			there.add(errorCodes, fmt.Sprintf("code of a %d", a.Status()), cb)
		}
	}
	return append(out, here.unlike(there)...)
}

func code(x history.Exchange) string {
	body, _ := x.Value.(map[string]any)
	code, _ := body["code"].(string)
	if !x.IsError() || !x.Named() {
		return ""
	}
	return code
}

// reportedBy returns the checks whose responses differ for a reason that is already reported: a broken requirement that
// they prove, or different answers to an open question that they ask.
func reportedBy(here, there verdict.Results, broken []verdict.Unlike, different []verdict.Answers) map[string]bool {
	ids := map[spec.ID]bool{}
	for _, u := range broken {
		ids[u.ID] = true
	}
	for _, a := range different {
		ids[a.Requirement] = true
	}
	reported := map[string]bool{}
	for _, r := range []verdict.Results{here, there} {
		for _, c := range r.Checks {
			if c.Verdict == verdict.Failed || slices.ContainsFunc(c.Requirements, func(id spec.ID) bool { return ids[id] }) {
				reported[c.ID] = true
			}
		}
	}
	return reported
}
