package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Judge judges one check from the recording of a run. It gathers every difference and never stops at the first.
type Judge struct {
	// History is the whole run; most judges need only their own Steps.
	History *history.History

	own      []history.Exchange
	findings []verdict.Finding
	observed []verdict.Observation
	doubts   []Doubt
	// lost lists what kept a response from coming: the run is incomplete.
	lost     []string
	evidence []string
	// instead is the verdict of a check that does not bind this run or was left out of it, and insteadWhy the reason.
	instead    verdict.Verdict
	insteadWhy string
	held       int
}

// Step gives the exchange that settled a step: the last attempt. The zero exchange stands for one that was not sent.
func (j *Judge) Step(name string) history.Exchange {
	for _, x := range slices.Backward(j.own) {
		if x.Step == name {
			return x
		}
	}
	return history.Exchange{}
}

// Steps gives the settling exchanges of all steps that begin with prefix, in the order of sending.
func (j *Judge) Steps(prefix string) []history.Exchange {
	settles := map[string]int{}
	for _, x := range j.own {
		settles[x.Step] = x.N
	}
	var out []history.Exchange
	for _, x := range j.own {
		if strings.HasPrefix(x.Step, prefix) && settles[x.Step] == x.N {
			out = append(out, x)
		}
	}
	return out
}

// Usable says whether x has a response that can be judged. If not, it notes a doubt: rules find an incomplete response and a 401
// to a valid key, and the client has already waited for a 429 to pass.
func (j *Judge) Usable(x history.Exchange) bool {
	switch {
	case x.N == 0:
		j.Unsure("a request was not sent")
	case x.Failure != nil && (x.Failure.Kind == exchange.Closed || x.Failure.Kind == exchange.NotHTTP || x.Failure.Kind == exchange.Undecodable):
		j.UnsureFor(x, fmt.Sprintf("exchange %d (%s) got no complete response", x.N, x.Step))
	case x.Failure != nil:
		j.lost = append(j.lost, fmt.Sprintf("exchange %d (%s): %s: %s", x.N, x.Step, x.Failure.Kind, x.Failure.Detail))
	case x.Limited():
		j.Unsure(fmt.Sprintf("exchange %d (%s) was answered 429", x.N, x.Step))
	case x.Auth.Valid() && x.Status() == 401 && x.Named() && x.Operation != spec.StoreOrders:
		j.UnsureFor(x, fmt.Sprintf("exchange %d (%s) was answered 401 although its key is valid", x.N, x.Step))
	default:
		return true
	}
	return false
}

// Status expects one of the statuses, where x has a usable response, and says whether it came. Of a response whose body is too large
// to keep, a wrong status is known all the same.
func (j *Judge) Status(id spec.ID, x history.Exchange, want ...int) bool {
	if x.Failure != nil && x.Failure.Kind == exchange.TooLarge && !slices.Contains(want, x.Status()) {
		x.Failure = nil
	}
	if !j.Usable(x) {
		return false
	}
	if !j.Expect(id, x, HaveStatus(want...)) {
		j.findings[len(j.findings)-1].Cases[0].Wanted = want
		return false
	}
	return true
}

// Expect holds an exchange against a matcher. What does not match is a finding about the requirement, shown by x.
func (j *Judge) Expect(id spec.ID, x history.Exchange, matcher Matcher) bool {
	j.held++
	g := gomega.NewGomega(func(string, ...int) {
		j.Find(id, x, fmt.Sprintf("%s %s (%s)", x.Request.Method, x.Request.Path, x.Step), matcher.Expected(), matcher.Actual(x))
	})
	return g.Expect(x).To(matcher)
}

// Find adds a finding that no matcher makes: one over several exchanges.
func (j *Judge) Find(id spec.ID, x history.Exchange, message, expected, actual string) {
	j.findings = append(j.findings, verdict.Finding{Requirement: id, Exchange: x.N, Message: message, Expected: expected, Actual: actual,
		Cases: []verdict.Case{{Name: x.Step, Sender: x.Check, Operation: x.Operation, Actual: actual, Exchanges: []int{x.N}, Status: x.Status()}}})
}

// Beside adds to the last finding the check that created the animal it is about, which a run of this check alone has to send too, and
// those that created an animal of the same name.
func (j *Judge) Beside(c history.Creation) {
	beside := []string{c.Exchange.Check}
	for _, d := range j.History.Created() {
		if d.Sent.Name() == c.Sent.Name() && !slices.Contains(beside, d.Exchange.Check) {
			beside = append(beside, d.Exchange.Check)
		}
	}
	j.findings[len(j.findings)-1].Cases[0].Beside = beside
}

// Unsure says why the check cannot tell.
func (j *Judge) Unsure(why string) { j.UnsureFor(history.Exchange{}, why) }

// UnsureFor says why the check cannot tell, because of an exchange. The reason names what was found there, if anything was.
func (j *Judge) UnsureFor(x history.Exchange, why string) {
	if d := (Doubt{Why: why, Exchange: x.N}); !slices.Contains(j.doubts, d) {
		j.doubts = append(j.doubts, d)
	}
}

// NotApplicable says why what the check proves does not bind here.
func (j *Judge) NotApplicable(why string) { j.instead, j.insteadWhy = verdict.NotApplicable, why }

// NotRun says why what the check proves was left out of the run.
func (j *Judge) NotRun(why string) { j.instead, j.insteadWhy = verdict.NotRun, why }

// Evidence says what a pass rests on.
func (j *Judge) Evidence(format string, args ...any) {
	j.evidence = append(j.evidence, fmt.Sprintf(format, args...))
}

// Observe records what was seen of a question that is open.
func (j *Judge) Observe(id spec.ID, key, value string) {
	j.observed = append(j.observed, verdict.Observation{Requirement: id, Key: key, Value: value})
}

// ObserveStatus records the status of an answer to something that is open.
func (j *Judge) ObserveStatus(id spec.ID, key string, x history.Exchange) {
	if x.N > 0 && j.Usable(x) {
		j.Observe(id, key, fmt.Sprintf("%d", x.Status()))
	}
}
