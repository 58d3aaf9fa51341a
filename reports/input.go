package reports

import (
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
	// Redactor knows the keys of the run. No file in which it finds one is written.
	Redactor *exchange.Redactor
	// WrongUsage says that wrong usage or configuration ended the run, so that its exit code is 2.
	WrongUsage bool
}

// Again returns the input of another report on a run that was opened. It is judged by no gate of the last one.
func (in Input) Again() Input {
	last := in.Policy
	in.Policy, in.Last = decision.Policy{}, &last
	return in
}
