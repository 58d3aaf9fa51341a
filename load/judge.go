package load

import (
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec/verdict"
)

// Report is the load block of results.json.
type Report = judge.Report

// Recording is a load run as it was sent. Package record reads, writes and merges recordings.
type Recording = record.Recording

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *Recording) (*verdict.Results, error) {
	var known []judge.Phase
	for _, p := range Phases() {
		known = append(known, judge.Phase{ID: p.ID, Title: p.Title, Proves: p.Proves})
	}
	return judge.Results(rec, known)
}
