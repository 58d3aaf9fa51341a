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
	// Previous and Diff are nil when there is no run to compare with.
	Previous *verdict.Results
	Diff     *compare.Diff
	SignOff  []signoff.Record
	// The digests of what the page is made from: SHA-256 in hexadecimal, "" for what there is not.
	ResultsDigest, RecordingDigest, WaiversDigest string
	// Most is how many bytes the page may have before bodies move beside it; 0 stands for the constant of that name.
	Most int
}
