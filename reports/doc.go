// Package reports turns what a run found into what people and machines read: results.json, release.json, junit.xml,
// summary.md and report.html. It sends nothing and judges no exchange.
//
//	reports/plain     text of a target, made fit to be shown
//	reports/repeat    command lines that run a check or a request again
//	reports/waiver    failures that a release may go out with
//	reports/compare   what changed since an earlier run
//	reports/decision  the gates, and the word on the release
//	reports/figure    the drawings of a load run
//	reports/page      report.html
//	reports/signoff   prepared, reviewed, approved; signatures
//	reports/bundle    the archive that is filed, and its verification
package reports
