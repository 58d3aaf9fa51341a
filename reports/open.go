package reports

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/load"
	"petconform/load/record"
	"petconform/reports/decision"
	"petconform/spec"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const (
	// MaxRecording is the largest recording that is read, in bytes: 256 MiB. A load records about 240 bytes for a
	// request, so a day of the Business plan (100,000 requests) takes 24 MB, and a million requests fit. A check writes
	// at most 64 MiB.
	MaxRecording = 256 << 20
	// maxResults is the largest results.json or release.json that is read, in bytes: a larger file is something else.
	maxResults = 32 << 20
)

// Opening opens runs. Results are claims and recordings are evidence: it judges the recordings, and compares
// results.json with that. No command reads a run in another way.
type Opening struct {
	// Tool is the version that judges. A warning names it if another version sent the run. Empty means no warning.
	Tool string
	// Strict lets a failed should fail the run, as it does if the recording or results.json says so.
	Strict bool
	// Any opens also a run that is under way or was killed, one whose claims cannot be read, and one shard of a load.
	Any bool
	// Judging is called before a recording is judged, with the name of its file. It may be nil.
	Judging func(name string)
}

// Run is a run that was opened. Its results are those of its recordings.
type Run struct {
	Input
	// Claimed is what results.json says; nil if there is none, or if several runs were merged.
	Claimed *verdict.Results
	// Differs says where the results.json of a run differs from what its recordings show, or cannot be read.
	Differs []string
	// Recordings open the recordings for a copy, by the names that they have in a folder.
	Recordings map[string]func() (io.ReadCloser, error)
}

// Files opens a file of a run by its name in a folder: a regular one of at most so many bytes. The error is
// fs.ErrNotExist if the run has no such file.
type Files func(name string, most int64) (io.ReadCloser, error)

// Open opens a run by the path of its folder or of one of its recordings. Several runs become one, as Merge says, and
// the shards of a load are merged before they are judged. A run whose recordings cannot be judged has no verdict, with
// the reason. The error says why a path is not a run, or why several do not go together.
func (o Opening) Open(paths ...string) (Run, error) {
	var all []recorded
	for _, path := range paths {
		files, err := o.filesOf(path)
		if err != nil {
			return Run{}, err
		}
		one, err := o.read(files)
		if err != nil {
			return Run{}, fmt.Errorf("%s: %w", path, err)
		}
		one.path = path
		all = append(all, one)
	}
	return o.judge(all)
}

// OpenFiles opens a run by its files, as those of a bundle.
func (o Opening) OpenFiles(files Files) (Run, error) {
	one, err := o.read(files)
	if err != nil {
		return Run{}, err
	}
	return o.judge([]recorded{one})
}

// filesOf returns the files of a folder, or a single recording under the name that it has in a folder: a load's begins
// with its format.
func (o Opening) filesOf(path string) (Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not the folder of a run: %w", path, err)
	}
	unfinished := filepath.Join(path, Unfinished)
	if _, err := os.Stat(unfinished); err == nil && !o.Any {
		return nil, fmt.Errorf("the run in %s is under way or was killed; petconform judge %s judges its recording", path, path)
	} else if err == nil {
		path = unfinished
	}
	if info.IsDir() {
		return func(name string, most int64) (io.ReadCloser, error) {
			return bounded.Open(filepath.Join(path, name), most)
		}, nil
	}
	f, err := bounded.Open(path, MaxRecording)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(f, 512))
	own := RecordingFile
	if bytes.Contains(head, []byte(record.Formats)) {
		own = LoadRecordingFile
	}
	return func(name string, most int64) (io.ReadCloser, error) {
		if name != own {
			return nil, fs.ErrNotExist
		}
		return bounded.Open(path, most)
	}, errors.Join(err, f.Close())
}

// recorded is a run as it was read: its recordings, and what results.json and release.json claim.
type recorded struct {
	path   string
	checks *exchange.Recording
	load   *record.Recording
	// digest is that of the recording of checks.
	digest string
	// why says why the run cannot be judged; empty if it can.
	why string

	claimed *verdict.Results
	// unread says why a file of claims could not be read.
	unread []string
	policy decision.Policy
	run    string // that of release.json
	copies map[string]func() (io.ReadCloser, error)
}

// read reads the files of a run. It returns an error if they are not those of a run, which need not have claims.
func (o Opening) read(files Files) (recorded, error) {
	one := recorded{copies: map[string]func() (io.ReadCloser, error){}}
	var unread, unreadable error
	for _, name := range append([]string{ResultsFile, ReleaseFile}, RecordingFiles()...) {
		open, evidence := func() (io.ReadCloser, error) { return files(name, maxResults) }, slices.Contains(RecordingFiles(), name)
		if evidence {
			open = func() (io.ReadCloser, error) { return files(name, MaxRecording) }
		}
		in, err := open()
		if err == nil {
			err = errors.Join(one.take(name, in), in.Close())
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil && evidence:
			unreadable = errors.Join(unreadable, fmt.Errorf("%s: %w", name, err))
		case err != nil:
			unread = errors.Join(unread, fmt.Errorf("%s: %w", name, err))
		case evidence:
			one.copies[name] = open
		}
	}
	if unread != nil && !o.Any {
		return one, unread
	} else if unread != nil {
		one.unread = []string{unread.Error() + "; the recording is judged without it"}
	}
	switch none := one.checks == nil && one.load == nil; {
	case one.claimed == nil && unreadable != nil:
		return one, unreadable
	case one.claimed == nil && none:
		return one, fmt.Errorf("this is not the folder of a run: it has neither %s nor %s; name the folder of a run, or a recording",
			RecordingFile, LoadRecordingFile)
	case unreadable != nil:
		one.why = unreadable.Error()
	case none:
		one.why = "there is no recording beside it"
	default:
		one.why = one.foreign()
	}
	return one, nil
}

// take reads one of the files. Of release.json it takes the gates, which the report in a bundle is rendered with.
func (one *recorded) take(name string, in io.Reader) (err error) {
	switch name {
	case LoadRecordingFile:
		one.load, err = record.Read(in)
	case RecordingFile:
		sum := sha256.New()
		one.checks, err = exchange.Read(io.TeeReader(in, sum))
		one.digest = hex.EncodeToString(sum.Sum(nil))
	case ResultsFile:
		var res verdict.Results
		if res, err = ParseResults(in); err == nil {
			one.claimed = &res
		}
	case ReleaseFile:
		var r releaseJSON
		if err = json.NewDecoder(in).Decode(&r); err == nil && r.Schema != releaseSchema {
			err = fmt.Errorf("schema %q instead of %q", r.Schema, releaseSchema)
		}
		one.policy, one.run = r.Policy, r.Run
	}
	return err
}

// judge judges recordings and merges their results. A report has one recording of each name, which is not that of a run
// without a verdict.
func (o Opening) judge(all []recorded) (run Run, err error) {
	run.Recordings = map[string]func() (io.ReadCloser, error){}
	single := len(all) == 1
	if single {
		run.Claimed = all[0].claimed
	}
	if all, err = o.together(all); err != nil {
		return run, err
	}
	var parts []Input
	var policy decision.Policy
	judged := map[string]bool{}
	for _, one := range all {
		for name, open := range one.copies {
			if judged[name] && one.why == "" {
				return run, fmt.Errorf("%s and another of the runs both have a %s, and a report has one: report on one of them, "+
					"or compare them with petconform diff", one.path, name)
			} else if !judged[name] {
				run.Recordings[name], judged[name] = open, one.why == ""
			}
		}
		in, differs, err := o.judgeOne(one)
		if err != nil {
			return run, fmt.Errorf("%s: %w", one.path, err)
		}
		policy = cmp.Or(policy, one.policy)
		parts, run.Differs = append(parts, in), slices.Concat(run.Differs, one.unread, differs)
	}
	run.Input, err = Merge(parts...)
	if run.Policy = policy; single {
		run.RecordingDigest = all[0].digest
	}
	return run, err
}

// together replaces the loads without checks by one, whose recording is merged from theirs.
func (o Opening) together(all []recorded) ([]recorded, error) {
	alone := func(one recorded) bool { return one.why == "" && one.checks == nil }
	var recordings []*record.Recording
	for _, one := range all {
		if alone(one) {
			recordings = append(recordings, one.load)
		}
	}
	if len(recordings) == 0 || o.Any && len(recordings) == 1 {
		return all, nil
	}
	merged, err := record.Merge(recordings...)
	if err != nil {
		return nil, err
	}
	one := all[slices.IndexFunc(all, alone)]
	if one.load = merged; len(recordings) > 1 {
		one.claimed = nil // each claims its own part
		one.copies = map[string]func() (io.ReadCloser, error){LoadRecordingFile: func() (io.ReadCloser, error) {
			var b bytes.Buffer
			err := record.Write(&b, merged)
			return io.NopCloser(&b), err
		}}
	}
	return append(slices.DeleteFunc(slices.Clone(all), alone), one), nil
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
	return in, one.differs(in), nil
}

// whatIsShown judges the recordings of a run and merges their results.
func (o Opening) whatIsShown(one recorded) (Input, error) {
	strict := o.Strict || one.claimed != nil && one.claimed.Strict
	if o.Judging == nil {
		o.Judging = func(string) {}
	}
	var parts []Input
	if rec := one.checks; rec != nil {
		o.Judging(RecordingFile)
		rec.Meta.Strict = rec.Meta.Strict || strict
		one := Input{Recording: rec}
		if rec.Meta.Kind == clients.Kind {
			var err error
			if one.Results, err = clients.Judge(rec); err != nil {
				return Input{}, fmt.Errorf("%s: %w", RecordingFile, err)
			}
		} else { // Ginkgo runs one suite in a process, and a command may open several runs
			one.Results = judge.Recording(rec)
		}
		parts = append(parts, one)
	}
	if rec := one.load; rec != nil {
		o.Judging(LoadRecordingFile)
		rec.Meta.Strict = rec.Meta.Strict || strict
		results, err := load.Judge(rec)
		if err != nil {
			return Input{}, fmt.Errorf("%s: %w", LoadRecordingFile, err)
		}
		parts = append(parts, Input{Results: *results})
	}
	return Merge(parts...)
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
		LedgerDigest: judge.LedgerDigest(), Target: claimed.Target, Run: claimed.Run, Seed: claimed.Seed,
		Started: claimed.Started, Ended: claimed.Ended, AsOf: claimed.AsOf, Strict: claimed.Strict, Unjudged: why,
		Requirements: verdict.Requirements(spec.TheLedger().Requirements, nil, claimed.AsOf),
		Checks:       []verdict.Check{}, Created: []verdict.Created{}}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
