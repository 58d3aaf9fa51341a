package reports

import (
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/page"
	"petconform/reports/signoff"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Input is everything from which a report is made. The same input leads to the same bytes.
type Input struct {
	// Results are the run's, without waivers.
	Results verdict.Results
	// Recording may be nil: then no exchange can be shown.
	Recording *exchange.Recording
	// RecordingDigest is the SHA-256 of the recording's file in hexadecimal, or "".
	RecordingDigest string
	// Previous is the earlier run to compare with. It may be nil.
	Previous *Input
	// Waivers may be nil.
	Waivers *waiver.File
	Policy  decision.Policy
	// SignOff holds what was signed before the report was made.
	SignOff []signoff.Record
	// Redactor knows the keys of the run. No file in which it finds one is written. If it is nil, Scanned says whether the report
	// was searched for keys when it was first made, so that rendering it again leads to the same bytes.
	Redactor *exchange.Redactor
	Scanned  bool
}

// Outcome has the results with the waivers applied, the comparison and the decision.
type Outcome struct {
	Results  verdict.Results
	Waivers  []waiver.Use
	Diff     *compare.Diff
	Decision decision.Decision
}

// Weigh applies the waivers, compares with the previous run and decides. Outcome.Decision.Code is the exit code.
func Weigh(in Input) Outcome {
	var out Outcome
	out.Results, out.Waivers = waiver.Apply(in.Results, in.Waivers)
	if out.Results.Part != nil {
		part := *out.Results.Part
		part.Accepted = in.Policy.AcceptPart && part.Holds
		out.Results.Part = &part
	}
	out.Results.Word = out.Results.InWords()
	if in.Previous != nil {
		out.Results = compare.CarryOver(in.Previous.Results, out.Results)
		out.Results.History = compare.History(in.Previous.Results, in.Previous.Recording)
		d := compare.Runs(in.Previous.Results, out.Results)
		d.Latency = append(compare.Latencies(in.Previous.Recording, in.Recording), compare.UnderLoad(in.Previous.Results, out.Results)...)
		out.Diff = &d
	}
	out.Decision = decision.Decide(decision.Facts{Results: out.Results, Recording: in.Recording, Diff: out.Diff,
		Waivers: out.Waivers, Policy: in.Policy, Scanned: in.scanned()})
	return out
}

func (in Input) scanned() bool { return in.Scanned || in.Redactor != nil }

func (in Input) source(out Outcome, sums digests) page.Source {
	s := page.Source{Results: out.Results, Recording: in.Recording, Decision: out.Decision, Waivers: out.Waivers, Diff: out.Diff,
		SignOff: in.SignOff, ResultsDigest: sums.results, RecordingDigest: sums.recording, WaiversDigest: sums.waivers}
	if in.Previous != nil {
		s.Previous = &in.Previous.Results
	}
	return s
}
