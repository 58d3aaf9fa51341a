package decision

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load/judge"
	"petconform/reports/compare"
	"petconform/reports/internal/test/sample"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/verdict"
)

const waiverFile = `
  - {id: W-1, requirement: LIST-5, reason: a, risk: b, ticket: c, owner: d, approver: e, from: 2026-03-01, ends: 2026-04-01}
  - {id: W-2, requirement: CREATE-9, reason: a, risk: b, ticket: c, owner: d, approver: e, from: 2026-03-01, ends: 2026-04-01}
  - {id: W-3, requirement: ERROR-3, reason: a, risk: b, ticket: c, owner: d, approver: e, from: 2026-03-01, ends: 2026-04-01}
`

// row is a run, what is changed in it, and what is to be decided.
type row struct {
	name    string
	run     sample.Run
	waivers string
	change  func(*Facts)
	word    Word
	code    int
	gate    string
	result  verdict.Verdict
}

// stopped is why a run that was aborted may have missed something.
var stopped = verdict.Validity{Incomplete: []string{"the run was aborted: interrupted"}}

func rows() []row {
	return []row{
		{"good", sample.Good(), "", nil, Release, 0, "rate limits", verdict.NotRun},
		{"failing", sample.New(), "", nil, DoNotRelease, 1, "conformance", verdict.Failed},
		{"all waived", sample.New(), waiverFile, func(f *Facts) { set(f, "LIST-8", verdict.Passed) }, ReleaseWithWaivers, 0, "conformance", verdict.Waived},
		{"one expired", sample.New(), strings.Replace(waiverFile, "ends: 2026-04-01", "ends: 2026-03-02", 1), nil, DoNotRelease, 1, "conformance", verdict.Failed},
		{"an ended waiver, nothing failing", sample.Good(), strings.Replace(waiverFile, "ends: 2026-04-01", "ends: 2026-03-02", 1), nil, NoVerdict, 3, "waivers", verdict.Inconclusive},
		{"unused waiver", sample.Good(), waiverFile, nil, Release, 0, "conformance", verdict.Passed},
		{"no verdict", sample.New(), "", func(f *Facts) { f.Results.Verdict = verdict.NoVerdict }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"no verdict, waived", sample.New(), waiverFile, func(f *Facts) { f.Results.Verdict = verdict.NoVerdict }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"a verdict of no known word", sample.Good(), "", func(f *Facts) { f.Results.Verdict = "" }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"stopped", sample.Good(), "", func(f *Facts) { f.Results.Conclude(stopped) }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"stopped and failing", sample.New(), "", func(f *Facts) { f.Results.Conclude(stopped) }, DoNotRelease, 1, "run is valid", verdict.Inconclusive},
		{"a part that fails", sample.New(), "", func(f *Facts) { f.Results.Conclude(verdict.Validity{Part: true}) }, DoNotRelease, 1, "run is valid", verdict.NotRun},
		{"a part that holds", sample.Good(), "", func(f *Facts) { f.Results.Conclude(verdict.Validity{Part: true}) }, NoVerdict, 3, "run is valid", verdict.NotRun},
		{"a part that holds and is accepted", sample.Good(), "", func(f *Facts) { f.Results = accepted(f.Results) }, NoVerdict, 0, "run is valid", verdict.NotRun},
		{"a part that is accepted and broken", sample.New(), "", func(f *Facts) { f.Results = accepted(f.Results) }, DoNotRelease, 1, "run is valid", verdict.NotRun},
		{"a part that is accepted and could not tell", sample.Good(), "", func(f *Facts) { set(f, "LIST-3", verdict.Inconclusive); f.Results = accepted(f.Results) }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"a must could not be told", sample.Good(), "", func(f *Facts) { set(f, "LIST-3", verdict.Inconclusive) }, NoVerdict, 3, "conformance", verdict.Inconclusive},
		{"a sign-off", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { f.Policy = SignOff }, Release, 0, "rate limits", verdict.Passed},
		{"the check of a sign-off", sample.Good(), "", func(f *Facts) { f.Policy = SignOff }, NoVerdict, 3, "rate limits", verdict.Inconclusive},
		{"a check with what a load shows", sample.Good().With(sample.Load("Free")), "", func(f *Facts) {
			f.Policy, f.Results.Kind, f.Results.Load = SignOff, "check", nil
		}, NoVerdict, 3, "rate limits", verdict.Inconclusive},
		{"the load of a sign-off", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { f.Policy, f.Results.Kind = SignOff, "load" }, NoVerdict, 3, "conformance", verdict.Inconclusive},
		{"nothing run", sample.Good(), "", func(f *Facts) { f.Results.Checks = nil }, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"nothing at all", sample.Run{}, "", nil, NoVerdict, 3, "run is valid", verdict.Inconclusive},
		{"a must not run", sample.Good(), "", func(f *Facts) { set(f, "LIST-3", verdict.NotRun) }, NoVerdict, 3, "conformance", verdict.Inconclusive},
		{"a rule without an answer to read", sample.Good(), "", func(f *Facts) { set(f, "RATE-5", verdict.NotRun) }, Release, 0, "conformance", verdict.Passed},
		{"deviates, and names nothing", sample.Good(), "", func(f *Facts) { f.Results.Verdict = verdict.Deviates }, DoNotRelease, 1, "conformance", verdict.Failed},
		{"a should", sample.Good(), "", func(f *Facts) { set(f, "AUTH-7", verdict.Failed) }, Release, 0, "conformance", verdict.Passed},
		{"a should, strictly", sample.Good(), "", func(f *Facts) { f.Results.Strict = true; set(f, "AUTH-7", verdict.Failed) }, DoNotRelease, 1, "conformance", verdict.Failed},
		{"load asked for", sample.Good(), "", func(f *Facts) { f.Policy.Load = true }, NoVerdict, 3, "rate limits", verdict.Inconclusive},
		{"load shown", sample.Good().With(sample.Load("Free")), "", nil, Release, 0, "rate limits", verdict.Passed},
		{"limits not expected", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { set(f, "RATE-6", verdict.Inconclusive) }, NoVerdict, 3, "rate limits", verdict.Inconclusive},
		{"limits not expected of a load", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { f.Results.Kind = "load"; set(f, "RATE-6", verdict.Inconclusive) }, Release, 0, "rate limits", verdict.Passed},
		{"load broken", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { set(f, "RATE-6", verdict.Failed) }, DoNotRelease, 1, "rate limits", verdict.Failed},
		{"load waived, and another must could not be told", sample.Good().With(sample.Load("Free")), "", func(f *Facts) {
			f.Results.Verdict = verdict.Deviates
			set(f, "RATE-6", verdict.Waived)
			set(f, "RATE-7", verdict.Inconclusive)
		}, NoVerdict, 3, "rate limits", verdict.Inconclusive},
		{"slow", slowLoad(60), "", func(f *Facts) { f.Policy.P99 = 55 * time.Millisecond }, DoNotRelease, 1, "latency", verdict.Failed},
		{"fast enough", slowLoad(6), "", func(f *Facts) { f.Policy.P99 = time.Second }, Release, 0, "latency", verdict.Passed},
		{"a plan with nothing accepted", slowLoad(0), "", func(f *Facts) { f.Policy.P99 = time.Second }, NoVerdict, 3, "latency", verdict.Inconclusive},
		{"a load without plans", sample.Good().With(sample.Load("Free")), "", func(f *Facts) { f.Results.Load, f.Policy.P99 = []byte(`{"schema":"other"}`), time.Second }, NoVerdict, 3, "latency", verdict.Inconclusive},
		{"no times", sample.Good(), "", func(f *Facts) { f.Policy.P99 = time.Second }, NoVerdict, 3, "latency", verdict.Inconclusive},
		{"comparison asked for", sample.Good(), "", func(f *Facts) { f.Policy.Comparison = true }, NoVerdict, 3, "comparison", verdict.Inconclusive},
		{"compared with a run that decided little", sample.Good(), "", func(f *Facts) { since(f, "other"); f.Diff.Compared = f.Diff.Decided/2 - 1 }, NoVerdict, 3, "comparison", verdict.Inconclusive},
		{"compared with itself", sample.Good(), "", func(f *Facts) { since(f, f.Results.Run); f.Diff.Old.Started = f.Results.Started }, NoVerdict, 3, "comparison", verdict.Inconclusive},
		{"compared", sample.Good(), "", func(f *Facts) { since(f, "other") }, Release, 0, "comparison", verdict.Passed},
		{"newly failing", sample.New(), waiverFile, func(f *Facts) { set(f, "LIST-8", verdict.Passed); compared(f) }, ReleaseWithWaivers, 0, "comparison", verdict.Waived},
		{"newly failing, not waived", sample.New(), "", func(f *Facts) { compared(f) }, DoNotRelease, 1, "comparison", verdict.Failed},
	}
}

func TestDecide(t *testing.T) {
	for _, row := range rows() {
		t.Run(row.name, func(t *testing.T) {
			facts := facts(row.run)
			if row.waivers != "" {
				f, err := waiver.Parse([]byte(row.waivers))
				if err != nil {
					t.Fatal(err)
				}
				facts.Results, facts.Waivers = waiver.Apply(facts.Results, f)
			}
			if row.change != nil {
				row.change(&facts)
			}
			facts.read()
			d := Decide(facts)
			if d.Word != row.word || d.Code != row.code {
				t.Errorf("%s, exit %d: %s\n%s, exit %d are wanted", d.Word, d.Code, d.Sentence, row.word, row.code)
			}
			if g := d.Gates[slices.IndexFunc(d.Gates, func(g Gate) bool { return g.Name == row.gate })]; g.Result != row.result {
				t.Errorf("the gate %s: %q (%s); %s is wanted", row.gate, g.Result, g.Measured, row.result)
			}
			if d.Sentence == "" || strings.Contains(d.Sentence, "%!") {
				t.Errorf("the sentence is %q", d.Sentence)
			}
		})
	}
}

// since compares the run with a lawful one of another name, and asks for the comparison.
func since(f *Facts, run string) {
	old := sample.Good().Results
	old.Run, f.Results.Run = run, cmp.Or(f.Results.Run, "this")
	diff := compare.Runs(compare.Run{Results: old}, compare.Run{Results: f.Results})
	f.Diff, f.Policy.Comparison = &diff, true
}

// TestHeadline says what the word does not speak of, and what was judged where that was no service in use.
func TestHeadline(t *testing.T) {
	scaled := sample.Load("Free")
	scaled.MinuteS = 2
	for _, row := range []struct {
		name   string
		run    sample.Run
		change func(*Facts)
		want   string
	}{
		{"a check", sample.Good(), nil, "CONFORMS"},
		{"a check that is to decide", sample.Good().With(sample.Load("Free")), func(f *Facts) { f.Results.Kind, f.Policy.Load = "check", true }, "CONFORMS"},
		{"and a load", sample.Good().With(sample.Load("Free")), nil, "RELEASE"},
		{"and a load that left the day", sample.Good().With(sample.Load("Free")), func(f *Facts) { set(f, "RATE-13", verdict.NotRun) }, "RELEASE"},
		{"a load alone", sample.Good().With(sample.Load("Free")), func(f *Facts) { f.Results.Kind = "load"; set(f, "RATE-13", verdict.NotRun) }, "RATE LIMITS HOLD"},
		{"on scaled time", sample.Good().With(scaled), nil, "RELEASE, on scaled time (a minute lasts 2s)"},
		{"the reference", sample.Good(), func(f *Facts) { f.Results.Target.Reference = true }, "CONFORMS, of the built-in reference service"},
		{"aborted", sample.Good(), func(f *Facts) {
			f.Results.Verdict, f.Results.Reasons = verdict.NoVerdict, verdict.Reasons{"the run was aborted: interrupted"}
		}, "NO VERDICT, aborted"},
		{"a part", sample.Good(), func(f *Facts) { f.Results.Conclude(verdict.Validity{Part: true}) }, "PART HOLDS"},
		{"a part whose latency is not known", slowLoad(0), func(f *Facts) {
			f.Results.Kind, f.Policy.P99 = "load", time.Second
			f.Results = accepted(f.Results)
		}, "NO VERDICT, PART"},
		{"another day", sample.Good(), func(f *Facts) { f.Results.AsOf = f.Results.Started.AddDate(0, 0, -3) }, "CONFORMS, as of 2026-02-27"},
		{"a part of another day", sample.Good(), func(f *Facts) {
			f.Results.AsOf = f.Results.Started.AddDate(5, 0, 0)
			f.Results = accepted(f.Results)
		}, "PART HOLDS, as of 2031-03-02"},
		{"what fails", sample.New(), nil, "DEVIATES"},
		{"a waived load that is too slow", slowLoad(60), func(f *Facts) {
			f.Results.Kind, f.Results.Verdict, f.Policy.P99 = "load", verdict.Deviates, 55*time.Millisecond
			set(f, "RATE-6", verdict.Waived)
		}, "DO NOT RELEASE"},
		{"what fails under a load", sample.New().With(sample.Load("Free")), nil, "DO NOT RELEASE"},
	} {
		f := Facts{Results: row.run.Results}
		if row.change != nil {
			row.change(&f)
		}
		f.read()
		if got := Decide(f).Headline; got != row.want {
			t.Errorf("%s: %q\n%q is wanted", row.name, got, row.want)
		}
	}
}

// slowLoad is a good run whose Pro key got its answers within so many milliseconds, 99 of 100; 0 means that it got none.
func slowLoad(p99 float64) sample.Run {
	r := sample.Good().With(sample.Load("Free"))
	report := sample.Load("Free", "Pro")
	report.Plans[0].DueMS = judge.Quantiles{N: 470, P99: 5}
	report.Plans[1].DueMS = judge.Quantiles{P99: p99}
	if p99 > 0 {
		report.Plans[1].DueMS.N = 470
	}
	r.Results.Load, _ = json.Marshal(report) // it was made from Go values
	return r
}

// TestAFrozenTargetAndALateSender: times count from when a request was due, and those of a late sender prove nothing.
func TestAFrozenTargetAndALateSender(t *testing.T) {
	for _, row := range []struct {
		due, lag float64 // the 99th percentiles in milliseconds
		want     verdict.Verdict
		says     string
	}{
		{400, 49, verdict.Passed, "at most 500ms; Free 5ms (p99 of 470 accepted); Pro 400ms (p99 of 470 accepted)"},
		{1800, 49, verdict.Failed, "Pro 1.8s (p99 of 470"},
		{1800, 51, verdict.Inconclusive, "Pro: petconform itself sent 1 of 100 requests 51ms late or later"},
		{400, 51, verdict.Inconclusive, "Pro: petconform itself"},
	} {
		run := slowLoad(60)
		report, _ := judge.ParseReport(run.Results.Load)
		report.Plans[1].DueMS, report.Plans[1].LagMS = judge.Quantiles{N: 470, P99: row.due}, judge.Quantiles{N: 500, P99: row.lag}
		run.Results.Load, _ = json.Marshal(report)
		f := facts(run)
		f.Policy.P99 = 500 * time.Millisecond
		g := latency(f)
		if g.Result != row.want || !strings.Contains(g.Measured, row.says) {
			t.Errorf("%v from due, %v late: %s: %s; want %s and %q", row.due, row.lag, g.Result, g.Measured, row.want, row.says)
		}
	}
}

// accepted makes a part of a run, as Weigh does it for one that --accept-part was given for.
func accepted(res verdict.Results) verdict.Results {
	res.Conclude(verdict.Validity{Part: true})
	res.Part.Accepted = res.Part.Holds
	return res
}

func set(f *Facts, id spec.ID, v verdict.Verdict) {
	for i := range f.Results.Requirements {
		if f.Results.Requirements[i].ID == id {
			f.Results.Requirements[i].Verdict = v
		}
	}
}

// TestNotTested: what a run did not test is told once, by the reason, with what tests it; what concerns most comes first.
func TestNotTested(t *testing.T) {
	for name, row := range map[string]struct {
		run  sample.Run
		want string
	}{
		"a check":                       {sample.Good(), "the rate limits (11 requirements); petconform load tests this; whether production and staging behave alike (SERVICE-5); petconform diff STAGING PRODUCTION tests this"},
		"a sign-off":                    {sample.Good().With(sample.Load("Free")), "whether production and staging behave alike (SERVICE-5); petconform diff STAGING PRODUCTION tests this"},
		"nothing":                       {sample.Run{}, "everything"},
		"a sign-off that left the day":  {without(sample.Good().With(sample.Load("Free")), "RATE-13"), "whether production and staging behave alike (SERVICE-5); petconform diff STAGING PRODUCTION tests this; the daily quota (RATE-13); petconform load --day 24h tests this"},
		"a load without a 429, for one": {without(sample.Good().With(sample.Load("Free")), "RATE-5"), "whether production and staging behave alike (SERVICE-5); petconform diff STAGING PRODUCTION tests this; rules about responses that did not come (RATE-5)"},
		"a check without a 429":         {without(sample.Good(), "RATE-5"), "the rate limits (12 requirements); petconform load tests this; whether production and staging behave alike (SERVICE-5); petconform diff STAGING PRODUCTION tests this"},
	} {
		var got []string
		for _, r := range Decide(facts(row.run)).NotTested {
			got = append(got, r.String())
		}
		if text := strings.Join(got, "; "); text != row.want {
			t.Errorf("%s: %q\n%q is wanted", name, text, row.want)
		}
	}
	f := facts(sample.New()) // a sign-off that ended before its load names the flag that runs it anyway
	f.Policy.Load = true
	if all := Decide(f).NotTested; !slices.ContainsFunc(all, func(r Reason) bool { return r.With == "petconform signoff --load-anyway" }) {
		t.Errorf("%v", all)
	}
}

func without(r sample.Run, id spec.ID) sample.Run {
	f := Facts{Results: r.Results}
	set(&f, id, verdict.NotRun)
	return r
}

func facts(r sample.Run) Facts {
	f := Facts{Results: r.Results}
	f.read()
	return f
}

// read reads the load of the results, as package reports does.
func (f *Facts) read() { f.Load, _ = judge.ParseReport(f.Results.Load) }

func compared(f *Facts) {
	d := compare.Runs(compare.Run{Results: sample.Good().Results}, compare.Run{Results: f.Results})
	f.Diff = &d
}

// TestPolicyWith: two policies ask for what either asks for; a part is accepted if both do.
func TestPolicyWith(t *testing.T) {
	for _, row := range []struct{ a, b, want Policy }{
		{Policy{}, Policy{}, Policy{}},
		{Policy{}, SignOff, Policy{Check: true, Load: true}},
		{Policy{P99: time.Second}, Policy{P99: time.Minute, Comparison: true}, Policy{P99: time.Second, Comparison: true}},
		{Policy{Load: true}, Policy{P99: time.Second}, Policy{Load: true, P99: time.Second}},
		{Policy{AcceptPart: true}, SignOff, SignOff},
	} {
		if one, other := row.a.With(row.b), row.b.With(row.a); one != row.want || other != row.want {
			t.Errorf("%+v with %+v: %+v and %+v; %+v is wanted", row.a, row.b, one, other, row.want)
		}
	}
}
