//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"petconform/reports"
)

// tamperings are what may happen to a run, by intent or by accident.
func tamperings(good string) []tampered {
	edit := func(name, from, to string) func(t *testing.T, dir, _ string) {
		return func(t *testing.T, dir, _ string) {
			t.Helper()
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Contains(data, []byte(from)) {
				t.Fatalf("%s has no %q (%v)", name, from, err)
			}
			put(t, dir, name, bytes.ReplaceAll(data, []byte(from), []byte(to)))
		}
	}
	foreign := func(names ...string) func(t *testing.T, dir, _ string) {
		return func(t *testing.T, dir, _ string) {
			t.Helper()
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(good, name))
				if err != nil {
					t.Fatal(err)
				}
				put(t, dir, name, data)
			}
		}
	}
	special := func(make func(path string) error) func(t *testing.T, dir, file string) {
		return func(t *testing.T, dir, file string) {
			t.Helper()
			path := filepath.Join(dir, file)
			if err := errors.Join(os.Remove(path), make(path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	zero := func(path string) error { return os.Symlink("/dev/zero", path) }
	return []tampered{
		{name: "edited results", change: edit(reports.ResultsFile, `"failed"`, `"passed"`), outcomes: shown(`but "passed" in results.json`)},
		{name: "results that conform", change: edit(reports.ResultsFile, `"deviates"`, `"conforms"`), outcomes: shown(`but "conforms" in results.json`)},
		{name: "no recording", change: func(t *testing.T, dir, _ string) {
			if err := os.Remove(filepath.Join(dir, reports.RecordingFile)); err != nil {
				t.Fatal(err)
			}
		}, outcomes: lost("there is no recording").with("judge FILE", 2, "does not exist")},
		{name: "another version sent it", change: edit(reports.RecordingFile, tool(), "petconform/0.0.1"),
			outcomes: shown("petconform/0.0.1 sent the run, and petconform/").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing").
				with("verify", 1, "made by petconform/0.0.1; judged again by petconform/")},
		{name: "another format", change: edit(reports.RecordingFile, "petconform/recording/1", "petconform/recording/0"), outcomes: lost(`the format is "petconform/recording/0"`)},
		{name: "a cut recording", change: func(t *testing.T, dir, _ string) {
			data, err := os.ReadFile(filepath.Join(dir, reports.RecordingFile))
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, reports.RecordingFile, data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+9]) // within the line of the end
		}, outcomes: shown("the recording has no end: the run was killed").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing").
			with("verify", 3, "results.json is not what is made")},
		{name: "an exchange left out", change: func(t *testing.T, dir, _ string) {
			data, err := os.ReadFile(filepath.Join(dir, reports.RecordingFile))
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(data, []byte("\n"))
			put(t, dir, reports.RecordingFile, bytes.Join(append(lines[:9:9], lines[10:]...), nil))
		}, outcomes: lost("the file was changed")},
		{name: "a second end", change: func(t *testing.T, dir, _ string) {
			data, err := os.ReadFile(filepath.Join(dir, reports.RecordingFile))
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(bytes.TrimSpace(data), []byte("\n"))
			put(t, dir, reports.RecordingFile, append(append(data, lines[len(lines)-1]...), '\n'))
		}, outcomes: lost("follows the end of the recording; the file was changed")},
		{name: "the recording of another run", change: foreign(reports.RecordingFile),
			outcomes: lost("a recording is of the run").with("judge FILE", 0, "CONFORMS")}, // of the run that it names
		{name: "the results of another run", change: foreign(reports.ResultsFile),
			outcomes: lost("of the run").with("judge FILE", 1, "DEVIATES")},
		{name: "recording and results of another run", change: foreign(reports.RecordingFile, reports.ResultsFile),
			outcomes: lost("release.json is of the run").with("judge FILE", 0, "CONFORMS").with("verify", 3, "is not what is made")},
		{name: "something else as recording", change: func(t *testing.T, dir, _ string) { put(t, dir, reports.RecordingFile, []byte("<html>")) },
			outcomes: lost("line 1 is not JSON, so the file is not a recording")},
		{name: "something else as results", change: func(t *testing.T, dir, _ string) { put(t, dir, reports.ResultsFile, []byte("[]")) },
			outcomes: refused("results.json: not results in JSON").with("judge FILE", 1, "DEVIATES").
				with("judge", 1, "the recording is judged without it").with("check --show", 0, "Exchange 1")},
		{name: "results that are /dev/zero", change: func(t *testing.T, dir, _ string) { special(zero)(t, dir, reports.ResultsFile) },
			outcomes: refused("is a device").with("judge FILE", 1, "DEVIATES").
				with("judge", 1, "the recording is judged without it").with("check --show", 0, "Exchange 1").with("verify", 3, "results.json is missing")},
		{name: "a link to /dev/zero", replaces: true, change: special(zero), outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a FIFO", replaces: true, change: special(func(path string) error { return syscall.Mkfifo(path, 0o600) }),
			outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a folder", replaces: true, change: special(func(path string) error { return os.Mkdir(path, 0o700) }),
			outcomes: lost("is a folder; name a file").with("judge FILE", 3, "it has neither").with("verify", 2, "directory")},
		{name: "a sparse file of 400 MB", replaces: true, change: special(func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 400<<20))
		}), outcomes: lost("is larger than 256 MiB").with("verify", 3, "not a valid zip file")},
		{name: "a link to the file", replaces: true, change: func(t *testing.T, dir, file string) {
			path := filepath.Join(dir, file)
			if err := errors.Join(os.Rename(path, path+".moved"), os.Symlink(path+".moved", path)); err != nil {
				t.Fatal(err)
			}
		}, outcomes: shown("DEVIATES").with("diff, later", 1, "newly failing").with("report --since", 1, "still failing").with("verify", 1, "DO NOT RELEASE")},
	}
}

// outcomes is how the commands end: by name, and "" for the others.
type outcomes map[string]outcome

// with returns the outcomes with another one for a command.
func (o outcomes) with(command string, code int, says string) outcomes {
	o[command] = outcome{code, says}
	return o
}

// shown are the outcomes for a run whose recording shows that it deviates. A bundle is not intact then.
func shown(says string) outcomes {
	return outcomes{"": {1, says}, "report of two": {3, "both have a recording.jsonl"}, "judge FILE": {1, "DEVIATES"},
		"diff, earlier": {0, "fixed (1)"}, "check --show": {0, "Exchange 1"},
		"verify": {3, "judged again, "}}
}

// lost are the outcomes for a run whose recording cannot be judged.
func lost(why string) outcomes {
	return outcomes{"": {3, why}, "report --since": {1, "the older run is claimed, not judged again"}}
}

// refused are the outcomes for a folder that is not the folder of a run.
func refused(why string) outcomes { return outcomes{"": {3, why}} }

// notGreen stands for any exit code but 0.
const notGreen = -1
