package check

import (
	"cmp"
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
	// lost lists the failures of requests that got no response; with one of them the run is incomplete.
	lost     []string
	evidence []string
	// instead is the verdict of a check that does not apply to the run or was left out of it, and insteadWhy the
	// reason.
	instead    verdict.Verdict
	insteadWhy string
	held       int
}

// Step returns the exchange of the last attempt of a step, or the zero exchange if the step was not sent.
func (j *Judge) Step(name string) history.Exchange {
	for _, x := range slices.Backward(j.own) {
		if x.Step == name {
			return x
		}
	}
	return history.Exchange{}
}

// Steps returns the exchanges of the last attempts of all steps that begin with prefix, in the order of sending.
func (j *Judge) Steps(prefix string) []history.Exchange {
	return slices.DeleteFunc(Settled(j.own), func(x history.Exchange) bool { return !strings.HasPrefix(x.Step, prefix) })
}

// Beside returns the steps that begin with prefix and were sent side by side, by name, since they were sent in any
// order.
func (j *Judge) Beside(prefix string) []history.Exchange {
	return slices.SortedStableFunc(slices.Values(j.Steps(prefix)), func(x, y history.Exchange) int {
		return cmp.Or(len(x.Step)-len(y.Step), strings.Compare(x.Step, y.Step))
	})
}

// Settled returns the last attempts of the steps of one check, in the order of sending.
func Settled(own []history.Exchange) []history.Exchange {
	last := map[string]int{}
	for _, x := range own {
		last[x.Step] = x.N
	}
	return slices.DeleteFunc(slices.Clone(own), func(x history.Exchange) bool { return last[x.Step] != x.N })
}

// Usable reports whether x has a response that can be judged. If not, the check becomes inconclusive. Rules have
// findings about an incomplete response and about a 401 to a valid key.
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

// Status adds a finding unless x has one of the statuses, and reports whether it has. If x is not usable, the check
// becomes inconclusive instead, except that the status of a response whose body is too large is judged.
func (j *Judge) Status(id spec.ID, x history.Exchange, want ...int) bool {
	if x.Failure != nil && x.Failure.Kind == exchange.TooLarge && !slices.Contains(want, x.Status()) {
		x.Failure = nil
	}
	if !j.Usable(x) {
		return false
	}
	j.held++
	if !j.Expect(id, x, HaveStatus(want...)) {
		j.Wanted(want...)
		return false
	}
	return true
}

// Expect adds a finding about a requirement, shown by x, unless x matches. about is a format with its arguments, as in
// Gomega's own Expect, and says what was looked at; without it, the finding has the request of x.
func (j *Judge) Expect(id spec.ID, x history.Exchange, matcher Matcher, about ...any) bool {
	g := gomega.NewGomega(func(string, ...int) {
		if len(about) == 0 {
			about = []any{"%s %s (%s)", x.Request.Method, x.Request.Path, x.Step}
		}
		f := verdict.Finding{Requirement: id, Exchange: x.N, Message: fmt.Sprintf(about[0].(string), about[1:]...),
			Expected: matcher.Expected(), Actual: matcher.Actual(x)}
		f.Cases = []verdict.Case{{Name: x.Step, Sender: x.Check, Operation: x.Operation, Actual: f.Actual, Exchanges: []int{x.N}, Status: x.Status()}}
		j.findings = append(j.findings, f)
	})
	return g.Expect(x).To(matcher)
}

// DependsOn adds to the last finding the check that created its animal, and the checks that created an animal with the
// same name. A run of this check alone has to send these too.
func (j *Judge) DependsOn(c history.Creation) {
	creators := []string{c.Exchange.Check}
	for _, d := range j.History.Created() {
		if d.Sent.Name() == c.Sent.Name() && !slices.Contains(creators, d.Exchange.Check) {
			creators = append(creators, d.Exchange.Check)
		}
	}
	j.findings[len(j.findings)-1].Cases[0].Beside = creators
}

// Wanted says that the last finding is about the status of its exchange, and which ones it should have had.
func (j *Judge) Wanted(statuses ...int) { j.findings[len(j.findings)-1].Cases[0].Wanted = statuses }

// Titled gives the last finding a title of its own.
func (j *Judge) Titled(format string, args ...any) {
	j.findings[len(j.findings)-1].Title = fmt.Sprintf(format, args...)
}

// Unsure makes the check inconclusive, with the reason.
func (j *Judge) Unsure(why string) { j.UnsureFor(history.Exchange{}, why) }

// UnsureFor makes the check inconclusive because of an exchange. The reason names the requirement that x was found to
// break, if it was.
func (j *Judge) UnsureFor(x history.Exchange, why string) {
	if d := (Doubt{Why: why, Exchange: x.N}); !slices.Contains(j.doubts, d) {
		j.doubts = append(j.doubts, d)
	}
}

// Own returns the check's own exchanges, all attempts included.
func (j *Judge) Own() []history.Exchange { return j.own }

// NotApplicable gives the check the verdict not applicable, with the reason.
func (j *Judge) NotApplicable(why string) { j.instead, j.insteadWhy = verdict.NotApplicable, why }

// NotRun gives the check the verdict not run, with the reason.
func (j *Judge) NotRun(why string) { j.instead, j.insteadWhy = verdict.NotRun, why }

// Evidence adds to the text that says on which responses a pass is based.
func (j *Judge) Evidence(format string, args ...any) {
	j.evidence = append(j.evidence, fmt.Sprintf(format, args...))
}

// Observe records the service's answer to an open question. key distinguishes the questions of one requirement.
func (j *Judge) Observe(id spec.ID, key, value string) {
	j.observed = append(j.observed, verdict.Observation{Requirement: id, Key: key, Value: value})
}

// ObserveStatus records the status of x as the answer to an open question, if x is usable.
func (j *Judge) ObserveStatus(id spec.ID, key string, x history.Exchange) {
	if x.N > 0 && j.Usable(x) {
		j.Observe(id, key, fmt.Sprintf("%d", x.Status()))
	}
}
