// Package reports opens a run, computes one View of it (Look), and prints the view for people and programs: Formats are
// results.json, junit.xml, summary.md and report.html, and the terminal is one more. It sends nothing.
//
//	reports/cause     the findings of one cause, with a title
//	reports/safe      text of a target, made safe to show
//	reports/rerun     command lines that run a check or a request again
//	reports/waiver    failures that a release is allowed to have
//	reports/compare   two judged runs compared: earlier and later, or two targets
//	reports/decision  the gates, and the decision on the release
//	reports/figure    the charts of a load run
//	reports/page      report.html
//	reports/bundle    the archive of a sign-off, its signatures, and its verification
package reports
