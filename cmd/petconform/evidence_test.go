//go:build unix

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
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
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/spec"
	"petconform/spec/bounded"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
)

// opener is a command that opens a run: the one in dir, beside runs that nobody has touched.
type opener struct {
	name string
	args func(dir, good, bad string) []string
	// reads is the file that the command is given; empty if it is given the folder.
	reads string
}

func openers() []opener {
	return []opener{
		{name: "report", args: func(dir, _, _ string) []string { return []string{"report", dir, "--out", dir + "-out"} }},
		{name: "report in place", args: func(dir, _, _ string) []string { return []string{"report", dir} }},
		{name: "report of two", args: func(dir, good, _ string) []string { return []string{"report", good, dir, "--out", dir + "-out"} }},
		{name: "report --since", args: func(dir, _, bad string) []string {
			return []string{"report", bad, "--since", dir, "--out", dir + "-out"}
		}},
		{name: "report --history", args: func(dir, _, bad string) []string {
			return []string{"report", "--history", dir, bad, "--out", dir + "-out"}
		}},
		{name: "diff, earlier", args: func(dir, good, _ string) []string { return []string{"diff", dir, good} }},
		{name: "diff, later", args: func(dir, good, _ string) []string { return []string{"diff", good, dir} }},
		{name: "judge", args: func(dir, _, _ string) []string { return []string{"judge", dir} }},
		{name: "judge FILE", reads: reports.RecordingFile, args: func(dir, _, _ string) []string {
			return []string{"judge", filepath.Join(dir, reports.RecordingFile)}
		}},
		{name: "waive", args: func(dir, _, _ string) []string { return []string{"waive", "list-limit-default", "--from", dir} }},
		{name: "check --show", args: func(dir, _, _ string) []string { return []string{"check", "--show", "1", "--out", dir} }},
		{name: "verify", reads: bundle.File, args: func(dir, _, _ string) []string { return []string{"verify", filepath.Join(dir, bundle.File)} }},
		{name: "sign", reads: bundle.File, args: func(dir, _, _ string) []string {
			return []string{"sign", filepath.Join(dir, bundle.File), "--step", "prepared", "--name", "A", "--role", "B"}
		}},
	}
}

// outcome is how a command ends: with a code, and with a text on the terminal or in summary.md.
type outcome struct {
	code int
	says string
}

// tampered is what was done to the folder of a run that deviates.
type tampered struct {
	name string
	// change changes a file of the folder; of one that a command is given by name, if replaces is set.
	change   func(t *testing.T, dir, file string)
	replaces bool
	outcomes
}

// runOf records a run against the reference service and writes its folder, with a bundle.
func runOf(t *testing.T, dir, name string, deviations ...string) string {
	t.Helper()
	key := reference.RandomKey(name, spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	var recorded bytes.Buffer
	base := &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}
	cfg := conformance.Config{Base: base, Key: key.Secret, Transport: inprocess.Transport{Handler: service}, Recording: &recorded, Tool: tool(),
		CategoryID: 1, MaxCreates: 30, Concurrency: 8, AsOf: time.Now().UTC(), Run: conformance.NewName(), Seed: 7, Patience: 50 * time.Millisecond,
		Timeout: 10 * time.Second, MaxWait: time.Minute}
	if _, err := conformance.Send(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name+".jsonl")
	if err := os.WriteFile(file, recorded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, name)
	code, said := commanded(t, "judge", file, "--out", to)
	if want := min(len(deviations), 1); code != want {
		t.Fatalf("%s: exit code %d, want %d\n%s", name, code, want, said)
	}
	bundled(t, to)
	return to
}

// bundled makes the bundle of a folder, whatever is in its files.
func bundled(t *testing.T, dir string) {
	t.Helper()
	run, err := reports.Opening{}.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := bundle.Collect(dir, "", run.Input)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := errors.Join(files.Pack(&archive), os.WriteFile(filepath.Join(dir, bundle.File), archive.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func commanded(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = run(t.Context(), args, streams{&out, &out})
	return code, strings.Join(strings.Fields(out.String()), " ")
}

// refitted packs the bundle of a folder again, from the files of the folder as they are, under digests that fit.
func refitted(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, bundle.File)
	files, err := bundle.Unpack(path)
	if err != nil {
		t.Fatal(err)
	}
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data, err := bounded.ReadFile(filepath.Join(dir, name), 1<<20)
		if name == bundle.SumsFile || err != nil {
			delete(files, name)
			continue
		}
		files[name] = data
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	files[bundle.SumsFile] = []byte(sums.String())
	var archive bytes.Buffer
	if err := errors.Join(files.Pack(&archive), os.WriteFile(path, archive.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

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
			outcomes: shown("petconform/0.0.1 sent the run, and petconform/").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing")},
		{name: "another format", change: edit(reports.RecordingFile, "petconform/recording/1", "petconform/recording/0"), outcomes: lost(`the format is "petconform/recording/0"`)},
		{name: "a cut recording", change: func(t *testing.T, dir, _ string) {
			data, err := os.ReadFile(filepath.Join(dir, reports.RecordingFile))
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, reports.RecordingFile, data[:len(data)*9/10])
		}, outcomes: shown("the recording has no end: the run was killed").with("report --since", 1, "still failing").with("diff, later", 1, "newly failing").
			with("verify", 3, "results.json, rendered again, differs").with("sign", 3, "results.json, rendered again, differs")},
		{name: "the recording of another run", change: foreign(reports.RecordingFile),
			outcomes: lost("a recording is of the run").with("judge FILE", 0, "CONFORMS")}, // of the run that it names
		{name: "the results of another run", change: foreign(reports.ResultsFile),
			outcomes: lost("of the run").with("judge FILE", 1, "DO NOT RELEASE").with("report --history", 1, "")},
		{name: "recording and results of another run", change: foreign(reports.RecordingFile, reports.ResultsFile),
			outcomes: lost("run.json is of the run").with("judge FILE", 0, "CONFORMS").with("report --history", 1, "").with("verify", 3, "differs").with("sign", 3, "differs")},
		{name: "something else as recording", change: func(t *testing.T, dir, _ string) { put(t, dir, reports.RecordingFile, []byte("<html>")) },
			outcomes: lost("line 1 is not JSON, so the file is not a recording")},
		{name: "something else as results", change: func(t *testing.T, dir, _ string) { put(t, dir, reports.ResultsFile, []byte("[]")) },
			outcomes: refused("results.json: not results in JSON").with("judge FILE", 1, "DO NOT RELEASE")},
		{name: "results that are /dev/zero", change: func(t *testing.T, dir, _ string) { special(zero)(t, dir, reports.ResultsFile) },
			outcomes: refused("is a device").with("judge FILE", 1, "DO NOT RELEASE").with("verify", 3, "results.json is missing").with("sign", 3, "results.json is missing")},
		{name: "a link to /dev/zero", replaces: true, change: special(zero), outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a FIFO", replaces: true, change: special(func(path string) error { return syscall.Mkfifo(path, 0o600) }),
			outcomes: lost("is a device, a pipe or a socket; name a regular file")},
		{name: "a folder", replaces: true, change: special(func(path string) error { return os.Mkdir(path, 0o700) }),
			outcomes: lost("is a folder; name a file").with("judge FILE", 3, "it has neither").with("verify", 2, "directory").with("sign", 2, "directory")},
		{name: "a sparse file of 400 MB", replaces: true, change: special(func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 400<<20))
		}), outcomes: lost("is larger than 256 MiB").with("verify", 3, "not a valid zip file").with("sign", 3, "not a valid zip file")},
		{name: "a link to the file", replaces: true, change: func(t *testing.T, dir, file string) {
			path := filepath.Join(dir, file)
			if err := errors.Join(os.Rename(path, path+".moved"), os.Symlink(path+".moved", path)); err != nil {
				t.Fatal(err)
			}
		}, outcomes: shown("DO NOT RELEASE").with("diff, later", 1, "newly failing").with("report --since", 1, "still failing").with("verify", notGreen, "DO NOT RELEASE").with("sign", 0, "")},
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
	return outcomes{"": {1, says}, "report of two": {1, "DO NOT RELEASE"}, "report --history": {1, "DO NOT RELEASE"}, "judge FILE": {1, "DO NOT RELEASE"},
		"diff, earlier": {0, "fixed (1)"}, "waive": {0, "check: list-limit-default"}, "check --show": {0, "Exchange 1"},
		"verify": {3, "judged again, "}, "sign": {3, "judged again, "}}
}

// lost are the outcomes for a run whose recording cannot be judged.
func lost(why string) outcomes {
	return outcomes{"": {3, why}, "report --since": {1, "the older run is claimed, not judged again"}}
}

// refused are the outcomes for a folder that is not the folder of a run.
func refused(why string) outcomes { return outcomes{"": {3, why}} }

// notGreen stands for any exit code but 0.
const notGreen = -1

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEvidence: whatever was done to a run that deviates, no command that opens it is green, and each says why. The only ones that
// exit with 0 print something of a run whose recording is there: waive, check --show, and diff with a later run that conforms.
func TestEvidence(t *testing.T) {
	t.Setenv("PETCONFORM_KEY", "")
	runs := t.TempDir()
	good, bad, deviant := runOf(t, runs, "good"), runOf(t, runs, "bad", "limit-defaults-to-10"), runOf(t, runs, "deviant", "limit-defaults-to-10")
	for _, what := range tamperings(good) {
		for _, c := range openers() {
			t.Run(what.name+"/"+c.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "run")
				if err := os.CopyFS(dir, os.DirFS(deviant)); err != nil {
					t.Fatal(err)
				}
				file := cmp.Or(c.reads, reports.RecordingFile)
				what.change(t, dir, file)
				if c.reads == bundle.File && !what.replaces {
					refitted(t, dir)
				}
				code, said := commanded(t, c.args(dir, good, bad)...)
				if summary, err := os.ReadFile(filepath.Join(dir+"-out", reports.SummaryFile)); err == nil {
					said += " " + strings.Join(strings.Fields(string(summary)), " ")
				}
				want, ok := what.outcomes[c.name]
				if !ok {
					want = what.outcomes[""]
				}
				if code != want.code && (want.code != notGreen || code == 0) || !strings.Contains(said, want.says) {
					t.Errorf("exit code %d; %d and %q are wanted in:\n%.3000s", code, want.code, want.says, said)
				}
				if claimed := "the older run is claimed"; strings.Contains(said, claimed) && regexp.MustCompile(`(newly failing|fixed|mended) \(`).MatchString(said) {
					t.Errorf("%s, and makes a difference:\n%.3000s", claimed, said)
				}
			})
		}
	}
}
