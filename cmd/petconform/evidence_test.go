//go:build unix

package main

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
)

// opener is a command that opens a run: the one in dir, beside runs that nobody has touched.
type opener struct {
	name string
	args func(dir, good, bad string) []string
}

func openers() []opener {
	return []opener{
		{name: "report", args: func(dir, _, _ string) []string { return []string{"report", dir, "--out", dir + "-out"} }},
		{name: "report in place", args: func(dir, _, _ string) []string { return []string{"report", dir} }},
		{name: "report of two", args: func(dir, good, _ string) []string { return []string{"report", good, dir, "--out", dir + "-out"} }},
		{name: "report --since", args: func(dir, _, bad string) []string {
			return []string{"report", bad, "--since", dir, "--out", dir + "-out"}
		}},
		{name: "diff, earlier", args: func(dir, good, _ string) []string { return []string{"diff", dir, good} }},
		{name: "diff, later", args: func(dir, good, _ string) []string { return []string{"diff", good, dir} }},
		{name: "judge", args: func(dir, _, _ string) []string { return []string{"judge", dir} }},
		{name: "judge FILE", args: func(dir, _, _ string) []string {
			return []string{"judge", filepath.Join(dir, reports.RecordingFile)}
		}},
		{name: "check --show", args: func(dir, _, _ string) []string { return []string{"check", "--show", "1", "--out", dir} }},
	}
}

// outcome is how a command ends: with a code, and with a text on the terminal or in summary.md.
type outcome struct {
	code int
	says string
}

// tampered is what was done to the folder of a run that deviates.
type tampered struct {
	name   string
	change func(t *testing.T, dir string)
	outcomes
}

// runOf records a run against the reference service and writes its folder.
func runOf(t *testing.T, dir, name string, deviations ...string) string {
	t.Helper()
	key := reference.RandomKey(name, spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	if err != nil {
		t.Fatal(err)
	}
	var recorded bytes.Buffer
	cfg := conformance.Config{Base: &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}, Key: key.Secret, Tool: tool, Recording: &recorded,
		Transport: inprocess.Transport{Handler: service}, CategoryID: 1, MaxCreates: 30, Concurrency: 8, AsOf: time.Now().UTC(), Run: run.NewName(),
		Seed: 7, Patience: 50 * time.Millisecond}
	if _, err := run.Send(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	put(t, dir, name+".jsonl", recorded.Bytes())
	to := filepath.Join(dir, name)
	code, said := commanded(t, "judge", to+".jsonl", "--out", to)
	if want := min(len(deviations), 1); code != want {
		t.Fatalf("%s: exit code %d, want %d\n%s", name, code, want, said)
	}
	return to
}

// TestEvidence: whatever was done to a run that deviates, no command that opens it is green, and each says why. The only ones that
// exit with 0 print something of a run whose recording is there: check --show, and diff with a later run that conforms.
func TestEvidence(t *testing.T) {
	t.Setenv("PETCONFORM_KEY", "")
	runs := t.TempDir()
	good, bad, deviant := runOf(t, runs, "good"), runOf(t, runs, "bad", "limit-defaults-to-10"), runOf(t, runs, "deviant", "limit-defaults-to-10")
	type row struct {
		what tampered
		by   opener
	}
	var rows []row
	for _, what := range tamperings(good) {
		for _, c := range openers() {
			rows = append(rows, row{what, c})
		}
	}
	for _, r := range long.Rows(t, rows, func(r row) []string { return []string{r.what.name, r.by.name} }) {
		what, c := r.what, r.by
		t.Run(what.name+"/"+c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := os.CopyFS(dir, os.DirFS(deviant)); err != nil {
				t.Fatal(err)
			}
			what.change(t, dir)
			code, said := commanded(t, c.args(dir, good, bad)...)
			if summary, err := os.ReadFile(filepath.Join(dir+"-out", reports.SummaryFile)); err == nil {
				said += " " + strings.Join(strings.Fields(string(summary)), " ")
			}
			want, ok := what.outcomes[c.name]
			if !ok {
				want = what.outcomes[""]
			}
			if code != want.code || !strings.Contains(said, want.says) {
				t.Errorf("exit code %d; %d and %q are wanted in:\n%.3000s", code, want.code, want.says, said)
			}
			if claimed := "was not judged again"; strings.Contains(said, claimed) && regexp.MustCompile(`(newly failing|fixed|mended) \(`).MatchString(said) {
				t.Errorf("%s, and makes a difference:\n%.3000s", claimed, said)
			}
		})
	}
}

// tamperings are what may happen to a run, by intent or by accident.
func tamperings(good string) []tampered {
	edit := func(name, from, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Contains(data, []byte(from)) {
				t.Fatalf("%s has no %q (%v)", name, from, err)
			}
			put(t, dir, name, bytes.ReplaceAll(data, []byte(from), []byte(to)))
		}
	}
	foreign := func(names ...string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
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
	lines := func(change func(lines [][]byte) [][]byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			data, err := os.ReadFile(filepath.Join(dir, reports.RecordingFile))
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, reports.RecordingFile, bytes.Join(change(bytes.SplitAfter(bytes.TrimSpace(data), []byte("\n"))), nil))
		}
	}
	special := func(file string, make func(path string) error) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
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
		{name: "no recording", change: special(reports.RecordingFile, func(string) error { return nil }), outcomes: lost("there is no recording").with("judge FILE", 2, "does not exist")},
		{name: "another version sent it", change: edit(reports.RecordingFile, tool, "petconform/0.0.1"),
			outcomes: shown("petconform/0.0.1 sent the run, and petconform/").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing")},
		{name: "another format", change: edit(reports.RecordingFile, "petconform/recording/1", "petconform/recording/0"), outcomes: lost(`the format is "petconform/recording/0"`)},
		{name: "a cut recording", change: lines(func(all [][]byte) [][]byte { return append(all[:len(all)-1], all[len(all)-1][:9]) }),
			outcomes: shown("the recording has no end: the run was killed").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing")},
		{name: "an exchange left out", change: lines(func(all [][]byte) [][]byte { return slices.Delete(all, 9, 10) }),
			outcomes: lost("the file was changed")},
		{name: "a second end", change: lines(func(all [][]byte) [][]byte { return append(all, []byte("\n"), all[len(all)-1]) }),
			outcomes: lost("follows the end of the recording; the file was changed")},
		{name: "the recording of another run", change: foreign(reports.RecordingFile),
			outcomes: lost("what is recorded is of the run").with("judge FILE", 0, "CONFORMS")}, // of the run that it names
		{name: "the results of another run", change: foreign(reports.ResultsFile),
			outcomes: lost("of the run").with("judge FILE", 1, "DEVIATES")},
		{name: "recording and results of another run", change: foreign(reports.RecordingFile, reports.ResultsFile),
			outcomes: lost("release.json is of the run").with("judge FILE", 0, "CONFORMS")},
		{name: "something else as recording", change: func(t *testing.T, dir string) { put(t, dir, reports.RecordingFile, []byte("<html>")) },
			outcomes: lost("line 1 is not JSON, so the file is not a recording")},
		{name: "something else as results", change: func(t *testing.T, dir string) { put(t, dir, reports.ResultsFile, []byte("[]")) },
			outcomes: refused("results.json: not results in JSON").with("judge FILE", 1, "DEVIATES").
				with("judge", 1, "the recording is judged without it").with("check --show", 0, "Exchange 1")},
		{name: "results that are /dev/zero", change: special(reports.ResultsFile, zero),
			outcomes: refused("is a device").with("judge FILE", 1, "DEVIATES").
				with("judge", 1, "the recording is judged without it").with("check --show", 0, "Exchange 1")},
		{name: "a link to /dev/zero", change: special(reports.RecordingFile, zero), outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a FIFO", change: special(reports.RecordingFile, func(path string) error { return syscall.Mkfifo(path, 0o600) }),
			outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a folder", change: special(reports.RecordingFile, func(path string) error { return os.Mkdir(path, 0o700) }),
			outcomes: lost("is a folder; name a file").with("judge FILE", 3, "it has neither")},
		{name: "a sparse file of 400 MB", change: special(reports.RecordingFile, func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 400<<20))
		}), outcomes: lost("is larger than 256 MiB")},
		{name: "a link to the file", change: func(t *testing.T, dir string) {
			path := filepath.Join(dir, reports.RecordingFile)
			if err := errors.Join(os.Rename(path, path+".moved"), os.Symlink(path+".moved", path)); err != nil {
				t.Fatal(err)
			}
		}, outcomes: shown("DEVIATES").with("diff, later", 1, "newly failing").with("report --since", 1, "still failing")},
	}
}

// outcomes is how the commands end: by name, and "" for the others.
type outcomes map[string]outcome

// with returns the outcomes with another one for a command.
func (o outcomes) with(command string, code int, says string) outcomes {
	o[command] = outcome{code, says}
	return o
}

// shown are the outcomes for a run whose recording shows that it deviates.
func shown(says string) outcomes {
	return outcomes{"": {1, says}, "report of two": {3, "both have a recording.jsonl"}, "judge FILE": {1, "DEVIATES"},
		"diff, earlier": {0, "fixed (1)"}, "check --show": {0, "Exchange 1"}}
}

// lost are the outcomes for a run whose recording cannot be judged.
func lost(why string) outcomes {
	return outcomes{"": {3, why}, "report --since": {1, "was not judged again: "}}
}

// refused are the outcomes for a folder that is not the folder of a run.
func refused(why string) outcomes { return outcomes{"": {3, why}} }
