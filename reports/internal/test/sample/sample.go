// Package sample has runs for the tests of the reports: plausible ones, large ones and hostile ones, each the same
// every time. Only tests import it.
package sample

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
	"time"

	"petconform/conformance/clients"
	"petconform/load/judge"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

//go:embed testdata
var testdata embed.FS

// Run is a sample run. Whoever gets one may change it.
type Run struct {
	Results   verdict.Results
	Recording *exchange.Recording
}

func file(name string) []byte { return must(testdata.ReadFile("testdata/" + name)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func run(name string) (r Run) {
	r.Recording = must(exchange.Read(bytes.NewReader(file(name + ".jsonl"))))
	must(0, json.Unmarshal(file(name+".json"), &r.Results))
	return r
}

// New is a run against a service with three deviations, a should that is not kept and a check that could not tell:
// about sixty active checks and every rule of the ledger.
func New() Run { return run("deviating") }

// Good is New without what fails.
func Good() Run { return run("conforming") }

// Client is the run of a client that does not wait after its second 429 of three, on two connections.
func Client() Run {
	rec := must(exchange.Read(bytes.NewReader(file("client.jsonl"))))
	return Run{Results: must(clients.Judge(rec)), Recording: rec}
}

// Load is a load run of each plan, all as of Free, on a target with windows that begin with the first request: fill,
// recover, just under the limit, overload.
func Load(plans ...string) (r judge.Report) {
	var all []judge.PlanReport
	for _, name := range plans {
		must(0, json.Unmarshal(file("load.json"), &r))
		p := r.Plans[0]
		p.Plan, p.DueMS, r.Plans = name, p.AcceptedMS, nil
		all = append(all, p)
	}
	r.Plans = all
	return r
}

// With makes a run of r and a load run with that report.
func (r Run) With(load judge.Report) Run {
	began, ended := r.Results.Started, r.Results.Ended
	r.Results.Runs = []verdict.Span{{Kind: "check", Started: began, Ended: ended},
		{Kind: "load", Started: ended.Add(time.Minute), Ended: ended.Add(5 * time.Minute)}}
	r.Results.Kind, r.Results.Load, r.Results.Ended = "signoff", must(json.Marshal(load)), ended.Add(5*time.Minute)
	for i := range r.Results.Requirements {
		q := &r.Results.Requirements[i]
		if q.Reason == "a load run is needed" {
			q.Verdict, q.Reason, q.Checks = verdict.Passed, "", []string{"load-free-fill"}
		}
	}
	r.Results.Checks = append(r.Results.Checks, verdict.Check{ID: "load-free-fill", Kind: verdict.Phase,
		Title:   "The plan's requests are accepted, and the next one is answered 429",
		Verdict: verdict.Passed, Requirements: []spec.ID{"RATE-6", "RATE-7"}, Exchanges: []int{},
		Evidence: "60 accepted, then 429, in 3 of 3 bursts"})
	return r
}

// Hostile strings, as a target may send them in any place that it fills.
var Hostile = []string{
	`<script>window.pwned=1</script>`,
	`"><img src=x onerror="window.pwned=1">`,
	`</pre></details></style><svg onload=window.pwned=1>`,
	`javascript:window.pwned=1`,
	"{{.}} ${7*7} `id` $(id) '; rm -rf / #",
	"]]><!-- --><![CDATA[ & &amp; \x00 \x1b[31mred\x1b[0m \u202eright to left\u202c",
	"| a | b |\n# h\n[x](https://attacker.example) @everyone ![i](https://attacker.example/i.png)",
}

// Foul is New with hostile strings wherever a target, or a name that someone chose, can put one.
func Foul() Run {
	r := New()
	all := strings.Join(Hostile, "\n")
	for i := range r.Recording.Exchanges {
		x := &r.Recording.Exchanges[i]
		x.Response.Body = exchange.Body(all)
		x.Response.Size = int64(len(all))
		x.Response.Proto = Hostile[0]
		x.Response.Header["X-"+Hostile[1]] = Hostile
		x.Step = Hostile[i%len(Hostile)]
	}
	for i := range r.Results.Checks {
		c := &r.Results.Checks[i]
		for j := range c.Findings {
			c.Findings[j].Message, c.Findings[j].Expected, c.Findings[j].Actual = all, all, all
		}
		c.Evidence, c.Reason = c.Evidence+all, all
	}
	for i := range r.Results.Observations {
		r.Results.Observations[i].Key, r.Results.Observations[i].Value = Hostile[i%len(Hostile)], all
	}
	for i := range r.Results.Created {
		r.Results.Created[i].Name = Hostile[i%len(Hostile)]
	}
	r.Results.Target.Build, r.Results.Target.Environment = Hostile[0], Hostile[1]
	r.Results.Target.URL = "https://pets.example/v1?" + Hostile[1]
	r.Results.Warnings = Hostile
	return r
}
