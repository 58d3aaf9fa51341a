package reports

import (
	"bytes"
	"fmt"
	"maps"

	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/load"
	"petconform/load/record"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Opening opens runs. Results are claims and recordings are evidence: what a run found is what its recordings show. No
// command reads a run in another way.
type Opening struct {
	// Tool is the version that judges. A warning names it if another version sent the run. Empty means no warning.
	Tool string
	// Strict lets a failed should fail the run, as it does if the recording or results.json says so.
	Strict bool
	// Any opens also a run that is under way or was killed, and one shard of a load.
	Any bool
}

// Run is a run that was opened. Its results are those of its recordings.
type Run struct {
	Input
	Recordings Files
}

// Open opens a run by the path of its folder or of one of its recordings. Several runs become one, as Merge says, and
// the shards of a load are merged before they are judged. The error says why a path is not a run with recordings that
// can be judged, or why several do not go together.
func (o Opening) Open(paths ...string) (run Run, err error) {
	var all []recorded
	for _, path := range paths {
		files, err := o.filesOf(path)
		if err != nil {
			return run, err
		}
		one, err := read(files)
		if err != nil {
			return run, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, one)
	}
	return o.judge(all)
}

// OpenFiles opens a run by its files, as those of a bundle.
func (o Opening) OpenFiles(files Files) (run Run, err error) {
	one, err := read(files)
	if err != nil {
		return run, err
	}
	return o.judge([]recorded{one})
}

// judge judges recordings and merges their results.
func (o Opening) judge(all []recorded) (run Run, err error) {
	run.Recordings = Files{}
	if all, err = o.together(all); err != nil {
		return run, err
	}
	var parts []Input
	for _, one := range all {
		in, err := o.judgeOne(one)
		if err != nil {
			return run, err
		}
		maps.Copy(run.Recordings, one.recordings)
		in.Policy = one.Release.Policy
		parts = append(parts, in)
	}
	run.Input, err = Merge(parts...)
	if data := run.Recordings[RecordingFile]; data != nil {
		run.RecordingDigest = safe.Digest(data)
	}
	return run, err
}

// together replaces the loads without checks by one, whose recording is merged from theirs.
func (o Opening) together(all []recorded) ([]recorded, error) {
	var others, loads []recorded
	var recordings []*record.Recording
	for _, one := range all {
		if one.checks != nil {
			others = append(others, one)
		} else {
			loads, recordings = append(loads, one), append(recordings, one.load)
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
		var b bytes.Buffer
		err = record.Write(&b, merged)
		one.recordings = Files{LoadRecordingFile: b.Bytes()}
	}
	return append(others, one), err
}

// judgeOne judges the recordings of a run and merges their results.
func (o Opening) judgeOne(one recorded) (in Input, err error) {
	strict := o.Strict || one.Strict
	var parts []Input
	if rec := one.checks; rec != nil {
		rec.Meta.Strict = rec.Meta.Strict || strict
		in := Input{Recording: rec}
		if rec.Meta.Kind == verdict.ClientKind {
			in.Results, err = clients.Judge(rec)
		} else { // Ginkgo runs one suite in a process, and a command may open several runs
			in.Results = judge.Recording(rec)
		}
		if err != nil {
			return in, fmt.Errorf("%s: %w", RecordingFile, err)
		}
		parts = append(parts, in)
	}
	if rec := one.load; rec != nil {
		rec.Meta.Strict = rec.Meta.Strict || strict
		results, err := load.Judge(rec)
		if err != nil {
			return in, fmt.Errorf("%s: %w", LoadRecordingFile, err)
		}
		parts = append(parts, Input{Results: *results})
	}
	in, err = Merge(parts...)
	if tool := in.Results.Tool; err == nil && o.Tool != "" && tool != o.Tool {
		in.Results.Warnings = append(in.Results.Warnings, fmt.Sprintf("%s sent the run, and %s judged it", tool, o.Tool))
	}
	return in, err
}

// Unjudged completes the results of a run that ended before there was anything to judge, from what names the run.
func Unjudged(r verdict.Results, why string) verdict.Results {
	r.Schema, r.InterfaceVersion, r.LedgerDigest = verdict.Schema, spec.InterfaceVersion, spec.LedgerDigest()
	r.Requirements, r.Unjudged = verdict.Requirements(spec.TheLedger().Requirements, nil, r.AsOf), why
	r.Checks, r.Created = []verdict.Check{}, []verdict.Created{}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
