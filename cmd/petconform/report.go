package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"petconform/conformance"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/waiver"
	"petconform/spec/verdict"
)

// reportCommand is petconform report.
type reportCommand struct {
	gateFlags
	Dirs    []string `arg:"" name:"dir" help:"Folders of runs: of check, load or signoff, or the shards of one load." type:"existingdir"`
	Out     string   `help:"Folder for the report. Default: the folder of the run; petconform-out for several runs." placeholder:"DIR"`
	Since   string   `help:"Folder of an earlier run to compare this run with." placeholder:"DIR"`
	History bool     `help:"Report the latest of the runs, and show how the results changed from run to run."`
	Waivers string   `help:"YAML file of waivers." placeholder:"FILE"`
}

// Run is petconform report.
func (c *reportCommand) Run(std streams) error {
	if err := c.gateFlags.check(); err != nil {
		return err
	}
	var earlier []reports.Input
	if c.History {
		if c.Since != "" {
			return usage("report takes --history or --since, not both")
		}
		var err error
		if earlier, err = c.splitHistory(); err != nil {
			return noVerdict(err)
		}
	}
	in, loaded, err := mergeRuns(std, c.Dirs)
	if err != nil {
		return noVerdict(err)
	}
	c.gateFlags.apply(&in)
	if in, err = withHistory(in, c.Since, c.Waivers); err != nil {
		return err
	}
	if len(earlier) > 0 {
		in.Previous = reports.Chain(earlier)
	}
	out, again, err := c.out()
	if err != nil {
		return err
	}
	if !again {
		if err := copyRecordings(out, c.Dirs, loaded); err != nil {
			return err
		}
	}
	return conclude(std, out, in, false)
}

// splitHistory reads all runs and returns those before the latest, oldest first. Dirs keeps the latest, which is compared with the
// one before it.
func (c *reportCommand) splitHistory() ([]reports.Input, error) {
	started := map[string]time.Time{}
	runs := map[string]reports.Input{}
	for _, dir := range c.Dirs {
		in, err := reports.Read(dir)
		if err != nil {
			return nil, err
		}
		runs[dir], started[dir] = in, in.Results.Started
	}
	slices.SortStableFunc(c.Dirs, func(a, b string) int { return started[a].Compare(started[b]) })
	last := len(c.Dirs) - 1
	var earlier []reports.Input
	for _, dir := range c.Dirs[:last] {
		earlier = append(earlier, runs[dir])
	}
	if last > 0 {
		c.Since = c.Dirs[last-1]
	}
	c.Dirs = c.Dirs[last:]
	return earlier, nil
}

// out returns the folder to write to. again is true if it is the folder of the run itself, which already has the recordings.
func (c *reportCommand) out() (dir string, again bool, err error) {
	if dir = c.Out; dir == "" {
		if dir = c.Dirs[0]; len(c.Dirs) > 1 {
			dir = "petconform-out"
		}
	}
	for _, of := range c.Dirs {
		if again = again || same(dir, of); again && len(c.Dirs) > 1 {
			return dir, again, usage("--out %s is the folder of one of the runs; a report of several runs needs a folder of its own", dir)
		}
	}
	return dir, again, nil
}

// mergeRuns reads runs and merges them into one, with the recording of the load if there is one. The shards of a load are merged
// as recordings and then judged. Other results have to agree with the recordings beside them.
func mergeRuns(std streams, dirs []string) (reports.Input, *load.Recording, error) {
	var parts []reports.Input
	var loads []*load.Recording
	for _, dir := range dirs {
		in, err := reports.Read(dir)
		if err != nil {
			return in, nil, err
		}
		rec, err := readLoad(filepath.Join(dir, reports.LoadRecordingFile))
		switch {
		case errors.Is(err, fs.ErrNotExist), in.Results.Kind != "load", in.RecordingDigest != "": // with a recording of checks it is no load
			if err := compareWithRecording(std, dir, in.Results); err != nil {
				return in, nil, err
			}
			parts = append(parts, in)
		case err != nil:
			return in, nil, fmt.Errorf("%s: %w", dir, err)
		default:
			loads = append(loads, rec)
		}
	}
	if len(loads) == 0 {
		in, err := reports.Merge(parts...)
		return in, nil, err
	}
	rec, err := load.Merge(loads...)
	if err != nil {
		return reports.Input{}, nil, err
	}
	results, err := judgeLoaded(rec)
	if err != nil {
		return reports.Input{}, nil, err
	}
	in, err := reports.Merge(append(parts, reports.Input{Results: results, Scanned: true})...)
	return in, rec, err
}

func readLoad(name string) (*load.Recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return load.Read(f)
}

// copyRecordings writes the recordings of the runs into the folder of their report, and loaded in place of a load's shards.
func copyRecordings(out string, dirs []string, loaded *load.Recording) error {
	recordings := map[string][]byte{}
	for _, dir := range slices.Backward(dirs) { // the first folder with a recording wins
		found, err := readFolder(dir)
		if err != nil {
			return noVerdict(err)
		}
		maps.Copy(recordings, found)
	}
	if keys := keysOfEnvironment(); keys != nil {
		for name, data := range recordings {
			recordings[name], _ = keys.RedactJSON(data)
		}
	}
	if loaded != nil {
		var b bytes.Buffer
		if err := load.Write(&b, loaded); err != nil {
			return noVerdict(err)
		}
		recordings[reports.LoadRecordingFile] = b.Bytes()
	}
	return putRecordings(out, recordings)
}

// withHistory adds the waivers and the earlier run to compare with, which it also judges again with the current suite.
func withHistory(in reports.Input, since, waivers string) (reports.Input, error) {
	if since != "" {
		before, err := reports.Read(since)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return in, usage("--since %s is not the folder of a run", since)
		} else if err != nil {
			return in, noVerdict(fmt.Errorf("--since: %w", err))
		}
		in.Previous, in.Rejudged = &before, rejudge(before, since)
	}
	var err error
	in.Waivers, err = readWaivers(waivers)
	return in, err
}

// rejudge judges an earlier run's recordings with the current suite, which distinguishes a change of the suite from a change of
// the service. It leaves out recordings that cannot be read, and returns nil when there is none.
func rejudge(in reports.Input, dir string) *verdict.Results {
	var parts []reports.Input
	if in.Recording != nil && in.Results.OfClient() {
		again, err := judgeClients(in.Recording)
		if err != nil {
			return nil
		}
		return &again.Results
	}
	if in.Recording != nil {
		parts = append(parts, reports.Input{Results: conformance.JudgeRecording(in.Recording), Recording: in.Recording})
	}
	if in.Results.Kind != "check" {
		if rec, err := readLoad(filepath.Join(dir, reports.LoadRecordingFile)); err == nil {
			if results, err := judgeLoaded(rec); err == nil {
				parts = append(parts, reports.Input{Results: results})
			}
		}
	}
	again, err := reports.Merge(parts...)
	if err != nil {
		return nil
	}
	return &again.Results
}

func readWaivers(name string) (*waiver.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("--waivers: %w", err)
	}
	defer f.Close()
	w, err := waiver.Read(f)
	if err != nil {
		return nil, usage("--waivers %s: %w", name, err)
	}
	return w, nil
}
