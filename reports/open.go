package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"

	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/load"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
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

// Open opens a run by the path of its folder or of one of its recordings. Several runs become one, as Merge says. The
// error says why a path is not a run with recordings that can be judged, or why several do not go together.
func (o Opening) Open(paths ...string) (in Input, err error) {
	var all []recorded
	for _, path := range paths {
		files, err := o.filesOf(path)
		if err != nil {
			return in, err
		}
		one, err := read(files)
		if err != nil {
			return in, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, one)
	}
	return o.judge(all)
}

// OpenFiles opens a run by the files of a bundle. Without results of this layout, the gates of its report are not known.
func (o Opening) OpenFiles(files Files) (in Input, err error) {
	one, err := read(files)
	if err == nil && one.Schema != verdict.Schema {
		err = fmt.Errorf("%s is missing, or not of the layout %s; verify it with the version that made it", ResultsFile,
			verdict.Schema)
	}
	if err != nil {
		return in, err
	}
	return o.judge([]recorded{one})
}

// judge judges recordings and merges their results. All loads are judged as one: load's judge has to see all requests of
// a plan.
func (o Opening) judge(all []recorded) (in Input, err error) {
	var parts []verdict.Results
	var loads []*record.Recording
	in.Recordings = Files{}
	for _, one := range all {
		o.Strict, in.Policy = o.Strict || one.Strict, cmp.Or(in.Policy, one.Release.Policy)
		maps.Copy(in.Recordings, one.Recordings)
		if one.load != nil {
			loads = append(loads, one.load)
		}
		if one.Recording != nil && in.Recording != nil {
			return in, errors.New("two of the runs have a recording of checks, and a report shows one")
		}
		in.Recording = cmp.Or(one.Recording, in.Recording)
	}
	if rec := in.Recording; rec != nil {
		r, err := o.judgeChecks(rec)
		if err != nil {
			return in, fmt.Errorf("%s: %w", RecordingFile, err)
		}
		parts = append(parts, r)
	}
	if len(loads) > 0 {
		r, err := o.judgeLoads(loads, &in)
		if err != nil {
			return in, fmt.Errorf("%s: %w", LoadRecordingFile, err)
		}
		parts = append(parts, r)
	}
	for i := range parts {
		if r := &parts[i]; o.Tool != "" && r.Tool != o.Tool {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s sent the run, and %s judged it", r.Tool, o.Tool))
		}
	}
	in.Digests = in.Recordings.Digests()
	in.Results, err = Merge(parts...)
	return in, err
}

func (o Opening) judgeChecks(rec *exchange.Recording) (verdict.Results, error) {
	rec.Meta.Strict = rec.Meta.Strict || o.Strict
	if rec.Meta.Kind == verdict.ClientKind {
		return clients.Judge(rec)
	}
	return judge.Recording(rec), nil // Ginkgo runs one suite in a process, and a command may open several runs
}

// judgeLoads judges several loads as one, whose recording takes the place of theirs among the files.
func (o Opening) judgeLoads(all []*record.Recording, in *Input) (r verdict.Results, err error) {
	rec := all[0]
	if len(all) > 1 || !o.Any {
		rec, err = record.Merge(all...)
	}
	if len(all) > 1 && err == nil {
		var b bytes.Buffer
		err = record.Write(&b, rec)
		in.Recordings[LoadRecordingFile] = b.Bytes()
	}
	if err != nil {
		return r, err
	}
	rec.Meta.Strict = rec.Meta.Strict || o.Strict
	judged, err := load.Judge(rec)
	if err != nil {
		return r, err
	}
	in.Loaded = Named(rec, *judged)
	return *judged, nil
}

// Named returns, by their numbers, the exchanges of a load that its findings name. A recording may have millions of
// others.
func Named(rec *record.Recording, r verdict.Results) map[int]exchange.Exchange {
	named, by := map[int]bool{}, map[int]exchange.Exchange{}
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			named[f.Exchange], named[f.After] = true, true
		}
	}
	for _, one := range rec.Records {
		if named[one.N] {
			by[one.N] = rec.Of(one)
		}
	}
	return by
}

// Unjudged completes the results of a run that ended before there was anything to judge, from what names the run.
func Unjudged(r verdict.Results, why string) verdict.Results {
	r.Schema, r.InterfaceVersion, r.LedgerDigest = verdict.Schema, spec.InterfaceVersion, spec.LedgerDigest()
	r.Requirements, r.Unjudged = verdict.Requirements(spec.TheLedger().Requirements, nil, r.AsOf), why
	r.Checks, r.Created = []verdict.Check{}, []verdict.Created{}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
