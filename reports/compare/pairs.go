package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// request names a request of a run. In each run with the same seed, the same name means the same request.
type request struct{ check, step string }

func (q request) compare(o request) int {
	return cmp.Or(cmp.Compare(q.check, o.check), cmp.Compare(q.step, o.step))
}

// lastOfEach returns the last response to each request, since a request is repeated until a replica shows an animal. Generated
// sequences are left out: they depend on what the target answers.
func lastOfEach(h *history.History) map[request]history.Exchange {
	last := map[request]history.Exchange{}
	for _, x := range h.All {
		if x.Answered() && !x.Limited() && x.Check != explore.CheckID && x.Check != client.OutageCheck {
			last[request{x.Check, x.Step}] = x
		}
	}
	return last
}

// headers tells which headers only one of the targets sends.
func headers(h, t *history.History) []verdict.Answers {
	mine, yours := headersSent(h), headersSent(t)
	a, b := maps.Clone(mine), maps.Clone(yours)
	maps.DeleteFunc(a, func(name string, _ bool) bool { return yours[name] })
	maps.DeleteFunc(b, func(name string, _ bool) bool { return mine[name] })
	if len(mine) == 0 || len(yours) == 0 || len(a)+len(b) == 0 {
		return nil
	}
	return []verdict.Answers{{Question: "headers that only one of the two sends", Here: orNone(a), There: orNone(b)}}
}

// pairs compares the responses to the same request: the status, unless told has its check, and the code of an error.
func pairs(h, t *history.History, told map[string]bool) []verdict.Answers {
	mine, yours := lastOfEach(h), lastOfEach(t)
	var out []verdict.Answers
	codes := map[int][2]map[string]bool{}
	for _, key := range slices.SortedFunc(maps.Keys(mine), request.compare) {
		a := mine[key]
		b, both := yours[key]
		if !both {
			continue
		}
		if a.Status() != b.Status() {
			if !told[key.check] {
				out = append(out, verdict.Answers{Question: fmt.Sprintf("%s in the check %s, %s", a.Operation, key.check, key.step),
					Here: fmt.Sprint(a.Status()), There: fmt.Sprint(b.Status())})
			}
			continue
		}
		if ca, cb := code(a), code(b); ca != cb && ca != "" && cb != "" {
			if codes[a.Status()][0] == nil {
				codes[a.Status()] = [2]map[string]bool{{}, {}}
			}
			codes[a.Status()][0][ca], codes[a.Status()][1][cb] = true, true
		}
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		out = append(out, verdict.Answers{Requirement: "ERROR-6", Question: fmt.Sprintf("code of a %d", status),
			Here: orNone(codes[status][0]), There: orNone(codes[status][1])})
	}
	return out
}

func code(x history.Exchange) string {
	body, _ := x.Value.(map[string]any)
	code, _ := body["code"].(string)
	if !x.IsError() || !x.Named() {
		return ""
	}
	return code
}

// toldBy returns the checks whose responses differ for a reason that is already reported: a broken requirement that they prove,
// or different answers to an open question that they ask.
func toldBy(here, there verdict.Results, broken []verdict.Unlike, different []verdict.Answers) map[string]bool {
	ids := map[spec.ID]bool{}
	for _, u := range broken {
		ids[u.ID] = true
	}
	for _, a := range different {
		ids[a.Requirement] = true
	}
	told := map[string]bool{}
	for _, r := range []verdict.Results{here, there} {
		for _, c := range r.Checks {
			if c.Verdict == verdict.Failed || slices.ContainsFunc(c.Requirements, func(id spec.ID) bool { return ids[id] }) {
				told[c.ID] = true
			}
		}
	}
	return told
}
