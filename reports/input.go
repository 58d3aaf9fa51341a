package reports

import (
	"fmt"
	"slices"

	"petconform/reports/compare"
	"petconform/reports/decision"
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
	// Policy has the gates that the report is judged by, and Last those of the report that it replaces; nil if there is
	// none.
	Policy decision.Policy
	Last   *decision.Policy
	// Redactor knows the keys of the run. No file in which it finds one is written. If it is nil, Scanned says whether
	// the report was searched for keys when it was first made, so that rendering it again leads to the same bytes.
	Redactor *exchange.Redactor
	Scanned  bool
	// WrongUsage says that wrong usage or configuration ended the run, so that its exit code is 2.
	WrongUsage bool
}

// Again returns the input of another report on a run that was opened. It is judged by no gate of the last one.
func (in Input) Again() Input {
	last := in.Policy
	in.Policy, in.Last = decision.Policy{}, &last
	return in
}

// Outcome is a run with the waivers applied, compared with the earlier one, and the decision on it.
type Outcome struct {
	decision.Facts
	Decision decision.Decision
}

// Weigh applies the waivers, compares with the previous run and decides. Outcome.Decision.Code is the exit code.
func Weigh(in Input) Outcome {
	out := Outcome{Facts: decision.Facts{Recording: in.Recording, Policy: in.Policy, WrongUsage: in.WrongUsage, Scanned: in.Scanned || in.Redactor != nil}}
	out.Results, out.Waivers = waiver.Apply(in.Results, in.Waivers)
	if out.Results.Part != nil {
		part := *out.Results.Part
		part.Accepted = in.Policy.AcceptPart && part.Holds
		out.Results.Part = &part
	}
	if last := in.Last; last != nil && last.Gates() != in.Policy.Gates() {
		out.Results.Warnings = append(slices.Clip(out.Results.Warnings), fmt.Sprintf("the last report of this run was judged by other gates: %s; this one: %s",
			last.Gates(), in.Policy.Gates()))
	}
	out.Results.Word = out.Results.InWords()
	if before := in.Previous; before != nil {
		d := compare.Runs(before.Results, out.Results)
		d.SetApart(before.Results, out.Results, before.Recording, in.Recording)
		d.Latency = append(compare.Latencies(compare.InChecks(before.Recording), compare.InChecks(in.Recording)),
			compare.Latencies(compare.UnderLoad(before.Results), compare.UnderLoad(out.Results))...)
		out.Diff = &d
	}
	out.Decision = decision.Decide(out.Facts)
	return out
}
