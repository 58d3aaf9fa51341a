package main

import (
	"bytes"
	"fmt"
	"slices"

	"petconform/conformance"
	"petconform/load"
	"petconform/reports"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// judgeSent runs the Ginkgo suite over what was just sent. A fault comes back beside the results, in which what it concerns has
// no verdict.
func judgeSent(rec *exchange.Recording, sel conformance.Selection) (verdict.Results, *fault) {
	stage("judging")
	var said bytes.Buffer
	suite := &conformance.Suite{Recording: func() *exchange.Recording { return rec }}
	conformance.RunSuite(suite, sel, &said)
	res := settled(suite.Results(), rec)
	for _, id := range rec.Meta.Planned {
		if !slices.ContainsFunc(res.Checks, func(c verdict.Check) bool { return c.ID == id }) {
			return res, &fault{fmt.Sprintf("%s could not be judged", id), said.String()}
		}
	}
	return res, nil
}

// judgeRecorded judges a recording of exchanges again.
func judgeRecorded(rec *exchange.Recording) verdict.Results {
	stage("judging")
	return settled(conformance.JudgeRecording(rec), rec)
}

// settled makes a part of a run say that it is one.
func settled(res verdict.Results, rec *exchange.Recording) verdict.Results {
	return verdict.Settle(res, rec.Meta.Filtered || rec.Meta.ReadOnly)
}

// judgeLoaded judges a recording of a load.
func judgeLoaded(rec *load.Recording) (verdict.Results, error) {
	stage("judging the load")
	res, err := load.Judge(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	return *res, nil
}

// judgeRecordings judges the recordings of a run again, by their names in its folder or bundle, and makes one result of them.
func judgeRecordings(recordings map[string][]byte, strict bool) (reports.Input, error) {
	var parts []reports.Input
	if data, ok := recordings[reports.RecordingFile]; ok {
		rec, err := exchange.Read(bytes.NewReader(data))
		if err != nil {
			return reports.Input{}, fmt.Errorf("%s: %w", reports.RecordingFile, err)
		}
		rec.Meta.Strict = rec.Meta.Strict || strict
		parts = append(parts, reports.Input{Results: judgeRecorded(rec), Recording: rec})
	}
	if data, ok := recordings[reports.LoadRecordingFile]; ok {
		rec, err := load.Read(bytes.NewReader(data))
		if err != nil {
			return reports.Input{}, fmt.Errorf("%s: %w", reports.LoadRecordingFile, err)
		}
		rec.Meta.Strict = rec.Meta.Strict || strict
		res, err := judgeLoaded(rec)
		if err != nil {
			return reports.Input{}, fmt.Errorf("%s: %w", reports.LoadRecordingFile, err)
		}
		parts = append(parts, reports.Input{Results: res})
	}
	return reports.Merge(parts...)
}
