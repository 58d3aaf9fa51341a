// Package page writes report.html: one file that a release manager reads first, an engineer digs in second and an auditor
// files third. It is a pure view of its source; the same source gives the same bytes.
package page

import (
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/signoff"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Source is what a page shows.
type Source struct {
	// Results have the waivers applied.
	Results   verdict.Results
	Recording *exchange.Recording
	Decision  decision.Decision
	Waivers   []waiver.Use
	// Previous and Diff are nil if there is no earlier run.
	Previous *verdict.Results
	Diff     *compare.Diff
	SignOff  []signoff.Record
	// The SHA-256, in hexadecimal, of the files from which the page is made; "" for a file that does not exist.
	ResultsDigest, RecordingDigest, WaiversDigest string
	// Most is the largest size of the page in bytes, with whole bodies. 0 means the constant Most.
	Most int
}
