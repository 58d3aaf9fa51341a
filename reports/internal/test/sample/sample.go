// Package sample builds runs for the tests of the reports: plausible ones, large ones and hostile ones, each the same every
// time. Only tests import it.
package sample

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/verdict"
)

// Start is when every sample run starts.
var Start = time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)

// Run is a run under construction.
type Run struct {
	Results   verdict.Results
	Recording *exchange.Recording
}

// New is a run against a service with three deviations, a should that is not kept and a check that could not tell: about
// sixty active checks and every rule of the ledger.
func New() Run {
	r := empty("r-7f3a", "2.14.0+4be1c09")
	for _, req := range spec.TheLedger().Requirements {
		r.prove(req)
	}
	r.fail("list-5", "LIST-5", "GET /pets lists as many as GET /pets?limit=20", "20 animals, as limit=20 lists", "100 animals")
	r.fail("create-9", "CREATE-9", "POST /pets (fraction)", "status 400", `201: {"id":9007199254740993,"name":"pc-r-7f3a-fraction","categoryId":1}`)
	r.failRule("error-3", "ERROR-3", "the status in the Error", "404, the HTTP status", "400")
	r.failRule("auth-7", "AUTH-7", "WWW-Authenticate of a 401", "Bearer", "no such header")
	r.unsure("list-8", "more than 100 animals are sold; the listing has no room to show all")
	r.observe()
	r.finish()
	return r
}

// Good is New without what fails.
func Good() Run {
	r := empty("r-5d21", "2.13.2+0aa41f7")
	for _, req := range spec.TheLedger().Requirements {
		r.prove(req)
	}
	r.observe()
	r.Results.Observations[0].Value = "400, an Error"
	r.finish()
	return r
}

func empty(name, build string) Run {
	target := verdict.Target{URL: "https://staging.pets.example/v1", Build: build, Environment: "staging"}
	rec := &exchange.Recording{Meta: exchange.Meta{Format: exchange.Format, Kind: "check", Tool: "petconform 0.3.0+9c1d2e7", Target: target.URL,
		Run: name, Seed: 42, Started: Start, AsOf: Start, CategoryID: 1}}
	return Run{Recording: rec, Results: verdict.Results{Schema: verdict.Schema, Kind: "check", Tool: rec.Meta.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: strings.Repeat("5e1a9b07", 8), Target: target, Run: name, Seed: 42, Started: Start, AsOf: Start,
		Created: []verdict.Created{}}}
}

// prove adds the check or the rule that a requirement of the ledger asks for.
func (r *Run) prove(req spec.Requirement) {
	id := strings.ToLower(string(req.ID))
	out := verdict.Requirement{ID: req.ID, Clause: req.Clause, Statement: req.Statement, Level: req.Level, Verdict: verdict.Passed, Checks: []string{id}}
	c := verdict.Check{ID: id, Kind: verdict.Active, Title: req.Statement, Verdict: verdict.Passed, Requirements: []spec.ID{req.ID}, Exchanges: []int{}}
	if req.Level == spec.Open {
		out.Verdict, c.Verdict = verdict.Observed, verdict.Observed
	}
	switch req.Proof {
	case spec.ByCheck:
		c.Operation = req.Operations[0]
		for step := range 1 + len(id)%3 {
			c.Exchanges = append(c.Exchanges, r.send(id, fmt.Sprintf("step %d", step+1), c.Operation))
		}
		c.MS, c.Evidence = int64(7*len(c.Exchanges)), fmt.Sprintf("%d of %d responses as expected", len(c.Exchanges), len(c.Exchanges))
	case spec.ByRule, spec.ByNet:
		c.Kind, c.Of, c.Held, c.Evidence = verdict.Passive, 97, 97, "held on 97 of 97"
	default:
		out.Checks, out.Verdict, out.Reason = []string{}, verdict.NotRun, "a load run is needed"
		if req.Proof.Beyond() {
			out.Reason = req.Why
		}
		r.Results.Requirements = append(r.Results.Requirements, out)
		return
	}
	if !req.Applies(Start) {
		out.Verdict, c.Verdict, c.Reason = verdict.NotApplicable, verdict.NotApplicable, "it binds from 2030-12-06"
	}
	r.Results.Requirements = append(r.Results.Requirements, out)
	r.Results.Checks = append(r.Results.Checks, c)
}

func (r *Run) check(id string) *verdict.Check {
	i := slices.IndexFunc(r.Results.Checks, func(c verdict.Check) bool { return c.ID == id })
	return &r.Results.Checks[i]
}

func (r *Run) requirement(id spec.ID) *verdict.Requirement {
	i := slices.IndexFunc(r.Results.Requirements, func(q verdict.Requirement) bool { return q.ID == id })
	return &r.Results.Requirements[i]
}

func (r *Run) fail(check string, id spec.ID, message, expected, actual string) {
	c := r.check(check)
	c.Verdict, c.Evidence = verdict.Failed, ""
	c.Findings = append(c.Findings, verdict.Finding{Requirement: id, Exchange: c.Exchanges[0], Message: message, Expected: expected, Actual: actual,
		Hint: hint.Of(id, expected, actual, nil)})
	r.requirement(id).Verdict = verdict.Failed
}

func (r *Run) failRule(check string, id spec.ID, message, expected, actual string) {
	c := r.check(check)
	c.Exchanges = []int{5, 9, 14}
	r.fail(check, id, message, expected, actual)
	c.Held, c.Evidence = 94, "first broken at exchange 5; held on 94 of 97"
}

func (r *Run) unsure(check, why string) {
	c := r.check(check)
	c.Verdict, c.Reason, c.Evidence = verdict.Inconclusive, why, ""
	q := r.requirement(c.Requirements[0])
	q.Verdict, q.Reason = verdict.Inconclusive, why
}

func (r *Run) observe() {
	r.Results.Observations = []verdict.Observation{
		{Requirement: "LIST-13", Key: "limit=0", Value: "200, as limit=20"},
		{Requirement: "LIST-13", Key: "limit=101", Value: "200, 100 animals"},
		{Requirement: "LIST-13", Key: "limit=x", Value: "400, an Error"},
		{Requirement: "LIST-15", Key: "order", Value: "by id, ascending"},
		{Requirement: "CREATE-15", Key: "default status", Value: "available"},
		{Requirement: "ERROR-6", Key: "code of a 400", Value: "INVALID_BODY, INVALID_JSON"},
		{Requirement: "GET-7", Key: "Sunset", Value: "Thu, 05 Dec 2030 00:00:00 GMT"},
		{Requirement: "ORDERS-1", Key: "status", Value: "501, an Error"},
	}
}

func (r *Run) finish() {
	ended := Start.Add(1840 * time.Millisecond)
	r.Results.Ended, r.Results.Requests = ended, len(r.Recording.Exchanges)
	r.Recording.End = &exchange.End{Ended: ended}
	r.Results.Verdict = verdict.Conforms
	for _, q := range r.Results.Requirements {
		if q.Verdict == verdict.Failed && q.Level == spec.Must {
			r.Results.Verdict = verdict.Deviates
			r.Results.Reasons = append(r.Results.Reasons, verdict.Reason{Requirement: q.ID, Verdict: q.Verdict, Sentence: fmt.Sprintf("%s is broken: %s", q.ID, q.Statement)})
		}
	}
	for _, c := range r.Results.Checks {
		r.Recording.Meta.Planned = append(r.Recording.Meta.Planned, c.ID)
	}
	for i := range 11 {
		r.Results.Created = append(r.Results.Created, verdict.Created{ID: json.Number(fmt.Sprint(9007199254740993 + i)),
			Name: fmt.Sprintf("pc-%s-%d", r.Results.Run, i+1), Exchange: i + 1, Unwanted: i == 7})
	}
}
