package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

type countRow struct {
	Level string
	Cells []chip
}

func newCountRow(of string, n map[verdict.Verdict]int) countRow {
	row := countRow{Level: of}
	for _, v := range verdict.Order() {
		row.Cells = append(row.Cells, chip{v, n[v]})
	}
	return row
}

// Counts is the table of requirements by level and verdict, and the checks under it.
func (v *view) Counts() []countRow {
	var rows []countRow
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		rows = append(rows, newCountRow(string(level), v.Results.Count(level)))
	}
	n := map[verdict.Verdict]int{}
	for _, c := range v.Results.Checks {
		n[c.Verdict]++
	}
	return append(rows, newCountRow("checks", n))
}

// Order returns the verdicts as columns and filters have them.
func (v *view) Order() []verdict.Verdict { return verdict.Order() }

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
	var ids []string
	for _, c := range v.Results.Checks {
		if !slices.ContainsFunc(c.Requirements, v.HasRequirement) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// reason says why a requirement is not decided. After a load run, the reason is not that it needs one.
func (v *view) reason(r verdict.Requirement) string {
	if q, _ := spec.TheLedger().Find(r.ID); v.Load != nil && r.Verdict == verdict.NotRun && q.Flag != "" {
		return fmt.Sprintf("the load run left out %s; %s tests it", q.Topic, q.Flag)
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

// This is what the open questions are about.
func (v *view) This() string {
	if v.Results.OfClient() {
		return "this client"
	}
	return "this build"
}

// Questions returns the open questions with the answers that the run observed.
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

// gap has the requirements that the run did not decide for one reason.
type gap struct {
	Why        string
	Statements []verdict.Requirement
}

// Gaps returns the musts and shoulds that this run did not decide, by the reason.
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
		why = fmt.Sprintf("%s: %s", r.Verdict, cmp.Or(why, "no reason is recorded"))
		i := slices.IndexFunc(out, func(g gap) bool { return g.Why == why })
		if i < 0 {
			i = len(out)
			out = append(out, gap{Why: why})
		}
		out[i].Statements = append(out[i].Statements, r)
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
	var facts []fact
	if v.Recording != nil {
		planned := spec.Number(len(v.Recording.Meta.Planned)) + " checks and rules"
		if v.Load != nil {
			planned += fmt.Sprintf(", and %s of %s of load", spec.Count(len(v.Load.Phases), "phase"), spec.Count(len(v.Load.Plans), "plan"))
		}
		facts = append(facts, fact{"Planned", planned})
	}
	facts = append(facts, fact{"Checks, rules and phases that ran", spec.Number(ran)}, fact{"Did not run", cmp.Or(strings.Join(not, ", "), "none")})
	if v.Recording != nil {
		if p := v.Results.Part; p != nil {
			facts = append(facts, fact{"Only a part was judged", "yes. " + p.String()})
		}
		if v.Recording.Meta.ReadOnly {
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

// Configuration are the settings of the run, without its key.
func (v *view) Configuration() []fact {
	r := v.Results
	facts := []fact{{"Kind of run", r.Kind}, {"Strict", yes(r.Strict)}, {"Judged as of", r.AsOf.UTC().Format("2006-01-02")},
		{"Ledger", safe.Groups(r.LedgerDigest)}, {"Format of the results", r.Schema}}
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

// mostCreated is the largest number of animals that the page lists. A run of a service creates fewer; clients may
// create any number.
const mostCreated = 500

// Created are the animals that the page lists.
func (v *view) Created() []verdict.Created {
	return v.Results.Created[:min(len(v.Results.Created), mostCreated)]
}

// CreatedWords says how many animals were created, and that they stay.
func (v *view) CreatedWords() string {
	n := len(v.Results.Created)
	words := spec.Count(n, "animal") + " created on the target; they stay, because the service has no delete"
	if v.Results.OfClient() {
		words = spec.Count(n, "animal") + " created by the clients"
	}
	if n > mostCreated {
		words += fmt.Sprintf("; the first %s are listed, and results.json has all", spec.Number(mostCreated))
	}
	return words
}
