package load

import (
	"petconform/load/judge"
	"petconform/spec/verdict"
)

// Report is the load block of results.json.
type Report = judge.Report

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *Recording) (*verdict.Results, error) {
	var known []judge.Phase
	for _, p := range phases() {
		known = append(known, p.Phase)
	}
	return judge.Results(rec, known)
}
