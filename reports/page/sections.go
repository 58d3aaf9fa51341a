package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/reports/cause"
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/spec"
	"petconform/spec/verdict"
)

// reasons stand beside the verdict: what to fix first, what is broken beyond that, and what the run says of itself.
type reasons struct {
	Causes []causeView
	Broken []brokenView
	Said   []string
	// More counts what is left out of Causes.
	More int
}

// causeView is a cause with the check that shows it first. Finding is nil where there is no room for Expected and Actual.
type causeView struct {
	cause.Cause
	Anchor  string
	Finding *findingView
}

// brokenView is a broken statement. Anchor leads to the check that found it so.
type brokenView struct {
	verdict.Requirement
	Anchor string
}

// Bounds of what stands beside the verdict: causes, those of them with Expected and Actual, and the length of these.
const (
	causesShown   = 6
	findingsShown = 3
	findingLength = 160
)

// Reasons are nil when there are none.
func (v *view) Reasons() *reasons {
	var r reasons
	told := map[spec.ID]bool{}
	for i, c := range v.causes {
		for _, id := range c.Requirements {
			told[id] = true
		}
		first := c.Places[0]
		view := causeView{Cause: c, Anchor: "check-" + first.Check.ID}
		if i < findingsShown && first.Finding.Expected+first.Finding.Actual != "" {
			view.Finding = &findingView{Finding: first.Finding, Difference: difference(first.Finding, findingLength)}
		}
		if i < causesShown {
			r.Causes = append(r.Causes, view)
		}
	}
	r.More = len(v.causes) - len(r.Causes)
	for _, b := range v.Deviations() {
		if verdict.Counts(b.Level, v.Results.Strict) && !told[b.ID] {
			r.Broken = append(r.Broken, b)
		}
	}
	for _, s := range v.Results.Reasons {
		id, _, _ := strings.Cut(s, " ")
		if !v.HasRequirement(spec.ID(id)) { // those that begin with one are told above
			r.Said = append(r.Said, s)
		}
	}
	if len(r.Causes)+len(r.Broken)+len(r.Said) == 0 {
		return nil
	}
	return &r
}

// Deviations are the broken statements in the order of the failures that broke them; what is waived comes last.
func (v *view) Deviations() []brokenView {
	var out []brokenView
	for _, r := range v.Results.Requirements {
		if compare.Failing(r.Verdict) {
			out = append(out, v.brokenBy(r))
		}
	}
	at := func(b brokenView) int {
		return slices.IndexFunc(v.Checks, func(c checkView) bool { return "check-"+c.ID == b.Anchor })
	}
	slices.SortStableFunc(out, func(a, b brokenView) int {
		return cmp.Or(rank(a.Verdict)-rank(b.Verdict), at(a)-at(b))
	})
	return out
}

// brokenBy finds the first failing check that names r.
func (v *view) brokenBy(r verdict.Requirement) brokenView {
	for _, c := range v.Checks {
		if !compare.Failing(c.Verdict) {
			break // those that fail come first
		}
		for _, f := range c.Check.Findings {
			if f.Requirement == r.ID {
				return brokenView{r, "check-" + c.ID}
			}
		}
	}
	return brokenView{r, string(r.ID)}
}

// Gates are those that were asked, NotAsked the others.
func (v *view) Gates() []decision.Gate { return v.gates(false) }

// NotAsked are the gates that hold nothing up.
func (v *view) NotAsked() []decision.Gate { return v.gates(true) }

func (v *view) gates(notAsked bool) []decision.Gate {
	return slices.DeleteFunc(slices.Clone(v.Decision.Gates), func(g decision.Gate) bool { return notAsked != (g.Result == decision.NotAsked) })
}

type countRow struct {
	Level string
	Cells []chip
}

func newCountRow(level string) countRow {
	row := countRow{level, make([]chip, len(order))}
	for i, v := range order {
		row.Cells[i].Verdict = v
	}
	return row
}

// Counts is the table of requirements by level and verdict, and the checks under it.
func (v *view) Counts() []countRow {
	var rows []countRow
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		row := newCountRow(string(level))
		for _, r := range v.Results.Requirements {
			if i := rank(r.Verdict); i >= 0 && r.Level == level {
				row.Cells[i].N++
			}
		}
		rows = append(rows, row)
	}
	row := newCountRow("checks")
	for _, c := range v.Results.Checks {
		if i := rank(c.Verdict); i >= 0 {
			row.Cells[i].N++
		}
	}
	return append(rows, row)
}

// Order gives the verdicts as columns and filters have them.
func (v *view) Order() []verdict.Verdict { return order }

type chip struct {
	Verdict verdict.Verdict
	N       int
}

// Chips are the verdicts that a check of this run has.
func (v *view) Chips() []chip {
	return slices.DeleteFunc(v.Counts()[3].Cells, func(c chip) bool { return c.N == 0 })
}

// Strays are the checks that prove no statement.
func (v *view) Strays() []string {
	known := map[spec.ID]bool{}
	for _, r := range v.Results.Requirements {
		known[r.ID] = true
	}
	var ids []string
	for _, c := range v.Results.Checks {
		stray := true
		for _, id := range c.Requirements {
			stray = stray && !known[id]
		}
		if stray {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// reason says why a statement is not shown. Where a load was run, that a load run proves it is no longer the answer.
func (v *view) reason(r verdict.Requirement) string {
	if v.Load != nil && r.Verdict == verdict.NotRun && v.proofs[r.ID] == spec.ByLoad {
		return "the load run left it out; --day spends a day's quota, and --provoke-ban provokes a ban"
	}
	return r.Reason
}

type question struct {
	verdict.Requirement
	Risk    string
	Answers []answer
}

type answer struct{ Key, Now, Last string }

// Same says that every answer is what it was.
func (q question) Same() bool {
	return len(q.Answers) > 0 && !slices.ContainsFunc(q.Answers, func(a answer) bool { return a.Now != a.Last })
}

// Questions are the statements that the interface leaves open, with what was seen of each.
func (v *view) Questions() []question {
	var out []question
	for _, r := range v.Results.Requirements {
		if r.Level != spec.Open {
			continue
		}
		q := question{Requirement: r}
		if entry, ok := spec.TheLedger().Find(r.ID); ok {
			q.Risk = entry.Why
		}
		for _, o := range v.Results.Observations {
			if o.Requirement == r.ID {
				q.Answers = append(q.Answers, answer{o.Key, o.Value, v.lastSeen(o)})
			}
		}
		out = append(out, q)
	}
	return out
}

func (v *view) lastSeen(o verdict.Observation) string {
	if v.Previous == nil {
		return ""
	}
	for _, p := range v.Previous.Observations {
		if p.Requirement == o.Requirement && p.Key == o.Key {
			return p.Value
		}
	}
	return "(not seen)"
}

type gap struct{ ID, Statement, Why string }

// Gaps are the musts and shoulds that this run does not show, and why.
func (v *view) Gaps() []gap {
	var out []gap
	for _, r := range v.Results.Requirements {
		if r.Level == spec.Open || r.Verdict != verdict.NotRun && r.Verdict != verdict.Inconclusive {
			continue
		}
		why := v.reason(r)
		if entry, ok := spec.TheLedger().Find(r.ID); ok && why == "" {
			why = entry.Why
		}
		if why == "" && v.proofs[r.ID] == spec.ByLoad {
			why = "it needs a load run"
		}
		out = append(out, gap{string(r.ID), r.Statement, fmt.Sprintf("%s: %s", r.Verdict, or(why, "no reason is recorded"))})
	}
	return out
}

// Planned tells what was to run and what did.
func (v *view) Planned() []fact {
	ran, not := 0, []string{}
	for _, c := range v.Results.Checks {
		if c.Verdict == verdict.NotRun {
			not = append(not, c.ID)
			continue
		}
		ran++
	}
	facts := []fact{{"Checks, rules and phases that ran", spec.Number(ran)}, {"Did not run", or(strings.Join(not, ", "), "none")}}
	if v.Recording != nil {
		m := v.Recording.Meta
		planned := spec.Number(len(m.Planned)) + " checks and rules"
		if v.Load != nil {
			planned += fmt.Sprintf(", and %s of %s of load", spec.Count(len(v.Load.Phases), "phase"), spec.Count(len(v.Load.Plans), "plan"))
		}
		facts = append(facts, fact{"Planned", planned})
		if p := v.Results.Part; p != nil {
			facts = append(facts, fact{"Left out by choice", "yes. " + p.String()})
		}
		if m.ReadOnly {
			facts = append(facts, fact{"Read-only", "yes: nothing was created"})
		}
	}
	return append(facts, fact{"Requests", spec.Number(v.Results.Requests)}, fact{"Animals created", spec.Number(len(v.Results.Created))})
}

func category(given int64) string {
	if given == 0 {
		return "one that the first listing showed, else 1"
	}
	return fmt.Sprint(given)
}

// Configuration is what the run was told, without its key.
func (v *view) Configuration() []fact {
	r := v.Results
	facts := []fact{{"Kind of run", r.Kind}, {"Strict", yes(r.Strict)}, {"Judged as of", r.AsOf.UTC().Format("2006-01-02")},
		{"Ledger", groups(r.LedgerDigest)}, {"Format of the results", r.Schema}}
	if v.Recording != nil {
		m := v.Recording.Meta
		facts = append(facts, fact{"Category of created animals", category(m.CategoryID)}, fact{"Read-only", yes(m.ReadOnly)},
			fact{"Recorded by", m.Tool}, fact{"Format of the recording", m.Format})
		if m.Plan != "" {
			facts = append(facts, fact{"Plan of the key", m.Plan})
		}
	}
	return append(facts, fact{"API key", "never recorded; read from the environment"})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
