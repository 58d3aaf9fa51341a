// Package page writes report.html: one file that a release manager reads first, an engineer digs in second and an
// auditor files third. It is a pure view of its source; the same source gives the same bytes.
package page

import (
	"petconform/reports/decision"
	"petconform/spec/verdict"
)

// Source is what a page shows.
type Source struct {
	decision.Facts
	Decision decision.Decision
	// Previous are the results of the earlier run; nil if there is none.
	Previous *verdict.Results
	// The SHA-256, in hexadecimal, of the files from which the page is made; "" for a file that does not exist.
	ResultsDigest, RecordingDigest, WaiversDigest string
}
