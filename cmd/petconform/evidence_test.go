package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/reports/bundle"
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
		{"report", func(dir, _, _ string) []string { return []string{"report", dir, "--out", dir + "-out"} }},
		{"report of two", func(dir, good, _ string) []string { return []string{"report", good, dir, "--out", dir + "-out"} }},
		{"report --since", func(dir, _, bad string) []string {
			return []string{"report", bad, "--since", dir, "--out", dir + "-out"}
		}},
		{"diff, earlier", func(dir, good, _ string) []string { return []string{"diff", dir, good} }},
		{"diff, later", func(dir, good, _ string) []string { return []string{"diff", good, dir} }},
		{"judge", func(dir, _, _ string) []string { return []string{"judge", dir} }},
		{"judge FILE", func(dir, _, _ string) []string { return []string{"judge", filepath.Join(dir, reports.RecordingFile)} }},
	}
}

// outcome is how a command ends: with a code, and with a text on the terminal or in summary.md.
type outcome struct {
	code int
	says string
}

// tampered is what was done to the files of a run that deviates; those of a good run are at hand.
type tampered struct {
	name   string
	change func(files, good bundle.Files)
	outcomes
}

// recorded is the recording of a run against the reference service.
func recorded(t *testing.T, deviations ...string) []byte {
	t.Helper()
	key := reference.RandomKey("recorded", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	noError(t, err)
	var recording bytes.Buffer
	cfg := conformance.At("http://pets.example/v1", key.Secret.Reveal())
	cfg.Transport, cfg.Recording = inprocess.Transport{Handler: service}, &recording
	cfg.Tool, cfg.Patience = tool, 50*time.Millisecond
	_, err = run.Send(t.Context(), cfg)
	noError(t, err)
	return recording.Bytes()
}

// runOf writes the folder of a run against the reference service.
func runOf(t *testing.T, dir, name string, deviations ...string) (to string) {
	t.Helper()
	to = filepath.Join(dir, name)
	file := put(t, dir, name+".jsonl", recorded(t, deviations...))
	if code, said := commanded(t, "judge", file, "--out", to); code != min(len(deviations), 1) {
		t.Fatalf("%s: exit code %d\n%s", name, code, said)
	}
	return to
}

// TestEvidence: whatever was done to a run that deviates, no command that opens it is green, and each says why. The only ones that
// exit with 0 compare a run whose recording is there with a later one that conforms.
func TestEvidence(t *testing.T) {
	t.Setenv("PETCONFORM_KEY", "")
	runs := t.TempDir()
	good, bad, deviant := runOf(t, runs, "good"), runOf(t, runs, "bad", "limit-defaults-to-10"), runOf(t, runs, "deviant", "limit-defaults-to-10")
	type row struct {
		what tampered
		by   opener
	}
	var rows []row
	for _, what := range tamperings() {
		for _, c := range openers() {
			rows = append(rows, row{what, c})
		}
	}
	for _, r := range long.Rows(t, rows, func(r row) []string { return []string{r.what.name, r.by.name} }) {
		what, c := r.what, r.by
		t.Run(what.name+"/"+c.name, func(t *testing.T) {
			dir, files := filepath.Join(t.TempDir(), "run"), filesOf(t, deviant)
			what.change(files, filesOf(t, good))
			if maps.EqualFunc(files, filesOf(t, deviant), bytes.Equal) {
				t.Fatal("nothing was changed")
			}
			for name, data := range files {
				put(t, dir, name, data)
			}
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
		})
	}
}

func filesOf(t *testing.T, dir string) bundle.Files {
	files := bundle.Files{}
	eachFile(t, dir, func(name string, data []byte) { files[filepath.Base(name)] = data })
	return files
}

// tamperings are what may happen to a run, by intent or by accident.
func tamperings() []tampered {
	edit := func(name, from, to string) func(files, _ bundle.Files) {
		return func(files, _ bundle.Files) {
			files[name] = bytes.ReplaceAll(files[name], []byte(from), []byte(to))
		}
	}
	foreign := func(names ...string) func(files, good bundle.Files) {
		return func(files, good bundle.Files) {
			for _, name := range names {
				files[name] = good[name]
			}
		}
	}
	lines := func(change func(lines [][]byte) [][]byte) func(files, _ bundle.Files) {
		return func(files, _ bundle.Files) {
			all := bytes.SplitAfter(bytes.TrimSpace(files[reports.RecordingFile]), []byte("\n"))
			files[reports.RecordingFile] = bytes.Join(change(all), nil)
		}
	}
	return []tampered{
		{name: "edited results", change: edit(reports.ResultsFile, `"failed"`, `"passed"`), outcomes: shown("LIST-5")},
		{name: "results that conform", change: edit(reports.ResultsFile, `"deviates"`, `"conforms"`), outcomes: shown("LIST-5")},
		{name: "no recording", change: func(files, _ bundle.Files) { delete(files, reports.RecordingFile) },
			outcomes: lost("there is no recording").with("judge FILE", 2, "does not exist")},
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
		{name: "the results of another run", change: foreign(reports.ResultsFile), outcomes: lost("of the run").with("judge FILE", 1, "DEVIATES")},
		{name: "something else as recording", change: func(files, _ bundle.Files) { files[reports.RecordingFile] = []byte("<html>") },
			outcomes: lost("line 1 is not JSON, so the file is not a recording")},
		{name: "something else as results", change: func(files, _ bundle.Files) { files[reports.ResultsFile] = []byte("[]") }, outcomes: shown("LIST-5")},
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
	return outcomes{"": {1, says}, "report of two": {3, "two of the runs have a recording of checks"}, "judge FILE": {1, "DEVIATES"},
		"diff, earlier": {0, "fixed (1)"}}
}

// lost are the outcomes for a run whose recording cannot be judged.
func lost(why string) outcomes {
	return outcomes{"": {3, why}}
}
