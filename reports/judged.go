package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/load"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// judge judges recordings and merges their results.
func (o Opening) judge(all []recorded) (Run, error) {
	run := Run{Recordings: map[string]func() (io.ReadCloser, error){}, unfit: map[string]bool{}}
	if len(all) == 1 {
		run.Claimed = all[0].claimed
	}
	all, err := o.together(all)
	if err != nil {
		return run, err
	}
	var parts []Input
	scanned := true
	for _, one := range slices.Backward(all) { // the first run with a recording or with gates wins
		if err := run.copy(one); err != nil {
			return run, err
		}
		in, differs, err := o.judgeOne(one)
		if err != nil {
			return run, fmt.Errorf("%s: %w", one.path, err)
		}
		in.Policy, scanned = one.policy, scanned && one.scanned
		parts, run.Differs = append(parts, in), slices.Concat(run.Differs, one.unread, differs)
		run.KeyFound = run.KeyFound || one.keyFound
	}
	slices.Reverse(parts)
	run.Input, err = Merge(parts...)
	run.Scanned = scanned
	if len(all) == 1 {
		run.RecordingDigest = all[0].digest
	}
	return run, err
}

// copy adds the recordings of one of several runs. A report has one of each name, which is not that of a run without a
// verdict.
func (r *Run) copy(one recorded) error {
	for name, open := range one.copies {
		switch {
		case r.Recordings[name] == nil || r.unfit[name]:
			r.Recordings[name], r.unfit[name] = open, one.why != ""
		case one.why == "":
			return fmt.Errorf("%s and another of the runs both have a %s, and a report has one: report on one of them, or compare them with "+
				"petconform diff", one.path, name)
		}
	}
	return nil
}

// together replaces the loads without checks by one, whose recording is merged from theirs.
func (o Opening) together(all []recorded) ([]recorded, error) {
	var loads, others []recorded
	var recordings []*record.Recording
	for _, one := range all {
		if one.why == "" && one.checks == nil {
			loads, recordings = append(loads, one), append(recordings, one.load)
		} else {
			others = append(others, one)
		}
	}
	if len(loads) == 0 || o.Any && len(loads) == 1 {
		return all, nil
	}
	merged, err := record.Merge(recordings...)
	if err != nil {
		return nil, err
	}
	one := loads[0]
	if one.load = merged; len(loads) > 1 {
		one.claimed, one.owner = nil, owner{} // each claims its own part
		one.copies = map[string]func() (io.ReadCloser, error){LoadRecordingFile: func() (io.ReadCloser, error) {
			var b bytes.Buffer
			err := record.Write(&b, merged)
			return io.NopCloser(&b), err
		}}
	}
	return append(others, one), nil
}

// judgeOne judges the recordings of one run. What cannot be judged and was claimed has no verdict.
func (o Opening) judgeOne(one recorded) (in Input, differs []string, err error) {
	if one.why == "" {
		if in, err = o.whatIsShown(one); err != nil {
			one.why = err.Error()
		}
	}
	switch {
	case one.why != "" && one.claimed == nil:
		return in, nil, errors.New(one.why)
	case one.why != "":
		return Input{Results: Unjudged(*one.claimed, one.why)}, nil, nil
	}
	if tool := in.Results.Tool; o.Tool != "" && tool != o.Tool {
		in.Results.Warnings = append(in.Results.Warnings, fmt.Sprintf("%s sent the run, and %s judged it", tool, o.Tool))
	}
	if why := one.missing(); why != "" {
		part := Unjudged(one.says(), why)
		part.Target = in.Results.Target
		if in, err = Merge(in, Input{Results: part}); err != nil {
			return in, nil, err
		}
	}
	if one.claimed != nil {
		differs = one.differs(in)
	}
	return in, differs, nil
}

// whatIsShown judges the recordings of a run and merges their results.
func (o Opening) whatIsShown(one recorded) (Input, error) {
	strict := o.Strict || one.claimed != nil && one.claimed.Strict
	var parts []Input
	if rec := one.checks; rec != nil {
		o.judging(RecordingFile)
		rec.Meta.Strict = rec.Meta.Strict || strict
		results, err := o.judgeChecks(rec)
		if err != nil {
			return Input{}, fmt.Errorf("%s: %w", RecordingFile, err)
		}
		parts = append(parts, Input{Results: results, Recording: rec})
	}
	if rec := one.load; rec != nil {
		o.judging(LoadRecordingFile)
		rec.Meta.Strict = rec.Meta.Strict || strict
		results, err := load.Judge(rec)
		if err != nil {
			return Input{}, fmt.Errorf("%s: %w", LoadRecordingFile, err)
		}
		parts = append(parts, Input{Results: *results})
	}
	return Merge(parts...)
}

func (o Opening) judging(name string) {
	if o.Judging != nil {
		o.Judging(name)
	}
}

// judgeChecks judges the recording of checks, or of a client.
func (o Opening) judgeChecks(rec *exchange.Recording) (verdict.Results, error) {
	switch {
	case o.Judge != nil:
		return o.Judge(rec), nil
	case rec.Meta.Kind == clients.Kind:
		return clients.Judge(rec)
	}
	return judge.Recording(rec), nil
}

// Unjudged returns the results of a run whose recordings cannot be judged. It keeps what names the run, and nothing
// that it found.
func Unjudged(claimed verdict.Results, why string) verdict.Results {
	if claimed.Unjudged != "" {
		why = claimed.Unjudged
	} else if claimed.Verdict != "" {
		why = fmt.Sprintf("%s claims %s, which cannot be judged again: %s", ResultsFile, claimed.InWords(), why)
	}
	r := verdict.Results{Schema: verdict.Schema, Kind: claimed.Kind, Tool: claimed.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: judge.LedgerDigest(), Target: claimed.Target, Run: claimed.Run, Seed: claimed.Seed, Started: claimed.Started,
		Ended: claimed.Ended, AsOf: claimed.AsOf, Strict: claimed.Strict, Unjudged: why,
		Requirements: verdict.Requirements(spec.TheLedger().Requirements, nil, claimed.AsOf), Checks: []verdict.Check{}, Created: []verdict.Created{}}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
