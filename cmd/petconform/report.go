package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"petconform/conformance"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/waiver"
	"petconform/spec/verdict"
)

// reportCommand is petconform report.
type reportCommand struct {
	gateFlags
	Dirs    []string `arg:"" name:"dir" help:"Folders of runs: conformance, load, the shards of a load." type:"existingdir"`
	Out     string   `help:"Folder for the report. Default: the folder of the one run, petconform-out for several." placeholder:"DIR"`
	Since   string   `help:"Folder of an earlier run to compare with." placeholder:"DIR"`
	Waivers string   `help:"File of waivers." placeholder:"FILE"`
}

// Run is petconform report.
func (c *reportCommand) Run(std streams) error {
	if err := c.gateFlags.check(); err != nil {
		return err
	}
	in, loaded, err := mergeRuns(c.Dirs)
	if err != nil {
		return noVerdict(err)
	}
	c.gateFlags.apply(&in)
	if in, err = withHistory(in, c.Since, c.Waivers); err != nil {
		return err
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
	return conclude(std, out, in)
}

// out gives the folder to write to, and whether it is that of the one run, whose recordings lie in it already.
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

// mergeRuns reads runs and makes one of them, with the recording of the load, if any. The parts of a load are put together
// as recordings, before they are judged.
func mergeRuns(dirs []string) (reports.Input, *load.Recording, error) {
	var parts []reports.Input
	var loads []*load.Recording
	for _, dir := range dirs {
		in, err := reports.Read(dir)
		if err != nil {
			return in, nil, err
		}
		rec, err := readLoad(filepath.Join(dir, reports.LoadRecordingFile))
		switch {
		case errors.Is(err, fs.ErrNotExist) || in.Results.Kind != "load":
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

// copyRecordings begins the folder of a report with the recordings that it is made of, as they lie in theirs, but for a load
// whose parts were put together.
func copyRecordings(out string, dirs []string, loaded *load.Recording) error {
	recordings := map[string][]byte{}
	for _, dir := range slices.Backward(dirs) { // the first folder that has one wins
		found, err := readFolder(dir)
		if err != nil {
			return noVerdict(err)
		}
		maps.Copy(recordings, found)
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

// withHistory adds the run to compare with, judged again by this suite, and the waivers.
func withHistory(in reports.Input, since, waivers string) (reports.Input, error) {
	if since != "" {
		before, err := reports.Read(since)
		if err != nil {
			return in, noVerdict(fmt.Errorf("--since: %w", err))
		}
		in.Previous, in.Rejudged = &before, rejudge(before, since)
	}
	var err error
	in.Waivers, err = readWaivers(waivers)
	return in, err
}

// rejudge judges an earlier run's recordings by the suite of today, so that a change of the suite is told from one of the
// service. What can't be read again is left out: its causes are not told then.
func rejudge(in reports.Input, dir string) *verdict.Results {
	var parts []reports.Input
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

// diffCommand is petconform diff.
type diffCommand struct {
	Old  string `arg:"" help:"Folder of the earlier run." type:"existingdir"`
	New  string `arg:"" help:"Folder of the later run." type:"existingdir"`
	JSON bool   `name:"json" help:"Write JSON."`
}

// Run is petconform diff. A new failure ends it with 1; a later run without a verdict, which might have failed, with 3.
func (c *diffCommand) Run(std streams) error {
	before, err := reports.Read(c.Old)
	if err != nil {
		return noVerdict(err)
	}
	now, err := reports.Read(c.New)
	if err != nil {
		return noVerdict(err)
	}
	d := compare.Runs(before.Results, now.Results, rejudge(before, c.Old))
	d.Latency = append(compare.Latencies(before.Recording, now.Recording), compare.UnderLoad(before.Results, now.Results)...)
	if c.JSON {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		err = enc.Encode(d)
	} else {
		err = d.Text(std.out)
	}
	if err != nil {
		return noVerdict(err)
	}
	switch res := reports.Weigh(now).Results; {
	case d.Regressed():
		return concluded{verdict.ExitDeviates}
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so that nothing new is seen to fail does not say that nothing new fails", c.New, res.Word))
	}
	return nil
}

// waiveCommand is petconform waive.
type waiveCommand struct {
	Check string `arg:"" help:"Check whose failure is to be waived."`
	From  string `help:"Folder of the run in which it failed." default:"petconform-out" placeholder:"DIR"`
	Days  int    `help:"Days that the waiver lasts." default:"30"`
}

// Run is petconform waive: it drafts an entry, and leaves to people what only they know.
func (c *waiveCommand) Run(std streams) error {
	in, err := reports.Read(c.From)
	if err != nil {
		return noVerdict(err)
	}
	for _, check := range in.Results.Checks {
		if check.ID != c.Check {
			continue
		}
		if check.Verdict != verdict.Failed && check.Verdict != verdict.Waived {
			return usage("the check %s did not fail in %s, it is %s; there is nothing to waive", c.Check, c.From, check.Verdict)
		}
		fmt.Fprint(std.out, waiver.Draft(check, time.Now(), c.Days))
		return nil
	}
	return usage("the run in %s has no check %q", c.From, c.Check)
}
