package main

import (
	"bytes"
	"fmt"
	"io"

	"petconform/conformance"
	"petconform/conformance/clients"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/drift"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// judgeSent judges the exchanges that the Ginkgo suite has just sent, with that suite.
func judgeSent(suite *conformance.Suite, filter string, std streams, verbose bool) verdict.Results {
	stage("judging")
	out := io.Discard
	if verbose {
		out = std.out
	}
	suite.Run(filter, out, verbose)
	for _, f := range suite.Faults() {
		inGoroutines.report(&fault{f.Value, f.Stack})
	}
	return suite.Results()
}

// judgeRecorded judges a recording with the Ginkgo suite. Ginkgo runs one suite per process, so further recordings have to be
// judged with conformance.JudgeRecording.
func judgeRecorded(rec *exchange.Recording) verdict.Results {
	return judgeSent(conformance.DescribeRecording(rec), "", streams{}, false)
}

// judgeLoaded judges the recording of a load run.
func judgeLoaded(rec *load.Recording) (verdict.Results, error) {
	stage("judging the load")
	res, err := load.Judge(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	return *res, nil
}

// judgeRecordings judges the recordings of a run again and merges their results. The keys are the file names in a folder or bundle.
// judge judges the one of the checks.
func judgeRecordings(recordings map[string][]byte, strict bool, judge func(*exchange.Recording) verdict.Results) (reports.Input, error) {
	var parts []reports.Input
	if data, ok := recordings[reports.RecordingFile]; ok {
		rec, err := exchange.Read(bytes.NewReader(data))
		if err != nil {
			return reports.Input{}, fmt.Errorf("%s: %w", reports.RecordingFile, err)
		}
		rec.Meta.Strict = rec.Meta.Strict || strict
		if rec.Meta.Kind == clients.Kind {
			return judgeClients(rec)
		}
		results := judge(rec)
		if data, ok := recordings[reports.AgainstFile]; ok {
			there, err := exchange.Read(bytes.NewReader(data))
			if err != nil {
				return reports.Input{}, fmt.Errorf("%s: %w", reports.AgainstFile, err)
			}
			there.Meta.Strict = rec.Meta.Strict
			results = drift.Join(results, rec, there)
		}
		parts = append(parts, reports.Input{Results: results, Recording: rec})
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
