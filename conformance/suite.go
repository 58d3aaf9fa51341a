package conformance

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Suite is the Ginkgo suite: one spec a check and one a rule, each judging the recording of one run. The recording is made by
// the time that the first spec runs, because sending runs ahead, side by side; judging is then a matter of milliseconds.
type Suite struct {
	// Recording gives the run; it is called once, before the first spec.
	Recording func() *exchange.Recording
	// Judged is told of each verdict as its spec ends; it may be nil.
	Judged func(verdict.Check)

	history *history.History
	checks  []verdict.Check
	seen    []verdict.Observation
	lost    []string
}

// Define adds the specs of the selection to the tree that Ginkgo is building. Labels are the requirement, its level and the
// operation, so that --label-filter selects by any of them.
func (s *Suite) Define(sel Selection) {
	ginkgo.BeforeEach(func() {
		if s.history == nil {
			s.history = history.Of(s.Recording())
		}
	})
	byOperation := map[spec.Operation][]Check{}
	for _, c := range sel.Judged {
		byOperation[c.Operation] = append(byOperation[c.Operation], c)
	}
	for _, o := range append(spec.Operations(), spec.Elsewhere) {
		if len(byOperation[o]) == 0 {
			continue
		}
		ginkgo.Describe(string(o), func() {
			for _, c := range byOperation[o] {
				ginkgo.It(c.ID+": "+c.Title, labels(o, c.Proves), func() { s.judge(c) })
			}
		})
	}
	if sel.Explore > 0 {
		ginkgo.Describe("generated sequences", func() {
			ginkgo.It(explore.CheckID+": sequences that nobody wrote down", ginkgo.Label(explore.CheckID), func() { s.tell(explore.Judge(s.history)) })
		})
	}
	if len(sel.Rules) > 0 {
		ginkgo.Describe("every response", func() {
			for _, r := range sel.Rules {
				ginkgo.It(r.ID+": "+r.Title, labels("", r.Proves), func() { s.rule(r) })
			}
		})
	}
}

func labels(o spec.Operation, proves []spec.ID) ginkgo.Labels {
	l := ginkgo.Labels{}
	if o != "" {
		l = append(l, string(o))
	}
	level := spec.Open
	for _, id := range proves {
		l = append(l, string(id))
		r, _ := spec.TheLedger().Find(id)
		if r.Level == spec.Must || r.Level == spec.Should && level == spec.Open {
			level = r.Level
		}
	}
	return append(l, string(level))
}

func (s *Suite) judge(c Check) {
	v, seen, lost := JudgeCheck(c, s.history)
	s.seen, s.lost = append(s.seen, seen...), append(s.lost, lost...)
	s.tell(v)
}

func (s *Suite) rule(r rules.Rule) {
	checks, seen := rules.Judge([]rules.Rule{r}, s.history)
	s.seen = append(s.seen, seen...)
	s.tell(checks[0])
}

// tell keeps the verdict and says it in Ginkgo's words. A should that is broken does not fail a spec unless it counts.
func (s *Suite) tell(v verdict.Check) {
	s.checks = append(s.checks, v)
	if s.Judged != nil {
		s.Judged(v)
	}
	switch v.Verdict {
	case verdict.Failed:
		if text := Text(v); breaks(v, s.history.Meta.Strict) {
			ginkgo.Fail(text)
		} else {
			ginkgo.AddReportEntry("should", text)
		}
	case verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable:
		ginkgo.Skip(fmt.Sprintf("%s: %s", v.Verdict, v.Reason))
	case verdict.Passed, verdict.Observed, verdict.Waived:
		if v.Evidence != "" {
			ginkgo.AddReportEntry("evidence", v.Evidence)
		}
	}
}

// breaks says whether one of the findings is about a must (or a should, where that counts).
func breaks(v verdict.Check, strict bool) bool {
	for _, f := range v.Findings {
		r, _ := spec.TheLedger().Find(f.Requirement)
		if r.Level == spec.Must || strict && r.Level == spec.Should {
			return true
		}
	}
	return false
}

// Text tells the findings of a check in lines.
func Text(v verdict.Check) string {
	var b strings.Builder
	for _, f := range v.Findings {
		r, _ := spec.TheLedger().Find(f.Requirement)
		fmt.Fprintf(&b, "%s (%s): %s\n  %s", f.Requirement, r.Clause, r.Statement, f.Message)
		if f.Exchange > 0 {
			fmt.Fprintf(&b, ", exchange %d", f.Exchange)
		}
		fmt.Fprintf(&b, "\n  Expected: %s\n  Actual:   %s\n", f.Expected, f.Actual)
	}
	return b.String()
}

// Results adds up what the specs judged. A planned check whose spec did not run keeps the run from conforming.
func (s *Suite) Results() verdict.Results {
	rec := s.Recording()
	if s.history == nil {
		s.history = history.Of(rec)
	}
	return Sum(rec, s.history, s.checks, s.seen, s.lost)
}
