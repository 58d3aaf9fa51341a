package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/joshdk/go-junit"
	"github.com/rogpeppe/go-internal/testscript"

	"petconform/reports"
)

// outputs are what the files of a run's folder say of it.
type outputs struct {
	results struct {
		Kind, Word, Verdict string
		Release             struct {
			Decision, Headline string
			ExitCode           int
		}
	}
	junit         []junit.Suite
	summary, page string
}

// says runs petconform and wants one exit code and one word, from the terminal and from every file of the folder, and a folder
// that is complete: says CODE WORD FOLDER ARGUMENT…
func says(ts *testscript.TestScript, _ bool, args []string) {
	exits(ts, false, append([]string{args[0]}, args[3:]...))
	code, is, dir := args[0], args[1], ts.MkAbs(args[2])
	out, err := readOutputs(dir)
	ts.Check(err)
	if out.results.Word != is {
		ts.Fatalf("the word is %q; %q is wanted", out.results.Word, is)
	}
	if holds := regexp.MustCompile("^(CONFORMS|RATE LIMITS HOLD)"); holds.MatchString(is) != (out.results.Verdict == "conforms") || strings.HasSuffix(is, "DEVIATES") != (out.results.Verdict == "deviates") {
		ts.Fatalf("results.json has the verdict %q under the word %q", out.results.Verdict, is)
	}
	terminal := strings.Join(strings.Fields(ts.ReadFile("stdout")), " ") // a long headline is broken after a comma
	for where, text := range map[string]string{"the terminal": terminal, reports.SummaryFile: out.summary, reports.ReportFile: out.page} {
		if !strings.Contains(text, out.results.Release.Headline) {
			ts.Fatalf("%s does not have the headline %q", where, out.results.Release.Headline)
		}
	}
	if red := out.red(junit.StatusFailed, junit.StatusError); fmt.Sprint(out.results.Release.ExitCode) != code || (red > 0) != (code != "0") {
		ts.Fatalf("results.json has the exit code %d, junit.xml %d failures and errors; %s is wanted", out.results.Release.ExitCode, red, code)
	}
	if is != holds(out.results.Kind) && out.results.Release.Decision == "RELEASE" {
		ts.Fatalf("results.json says %q under the word %q", out.results.Release.Decision, is)
	}
	if _, err := (reports.Opening{}).Open(dir); err != nil {
		ts.Fatalf("the folder can't be read: %v", err)
	}
}

// unsent wants the files of a run that ended before its report to say NO VERDICT, its exit code and why: unsent CODE FOLDER WHY.
func unsent(ts *testscript.TestScript, _ bool, args []string) {
	out, err := readOutputs(ts.MkAbs(args[1]))
	ts.Check(err)
	if out.results.Verdict != "no verdict" || fmt.Sprint(out.results.Release.ExitCode) != args[0] || out.red(junit.StatusFailed) > 0 || out.red(junit.StatusError) == 0 {
		ts.Fatalf("the verdict is %q, the exit code %d, and JUnit has %+v", out.results.Verdict, out.results.Release.ExitCode, out.junit)
	}
	for where, text := range map[string]string{reports.SummaryFile: out.summary, reports.ReportFile: out.page} {
		if !strings.Contains(text, "NO VERDICT") || !strings.Contains(text, args[2]) {
			ts.Fatalf("%s does not say NO VERDICT and %q:\n%s", where, args[2], text)
		}
	}
}

// holds is the word for a run of a kind that conforms.
func holds(kind string) string {
	if kind == "load" {
		return "RATE LIMITS HOLD"
	}
	return "CONFORMS"
}

// red counts the cases of junit.xml that ended so.
func (o outputs) red(ends ...junit.Status) (n int) {
	for _, s := range o.junit {
		for _, c := range s.Tests {
			if slices.Contains(ends, c.Status) {
				n++
			}
		}
	}
	return n
}

func readOutputs(dir string) (out outputs, err error) {
	read := func(name string) []byte {
		data, wrong := os.ReadFile(filepath.Join(dir, name))
		err = errors.Join(err, wrong)
		return data
	}
	out.summary, out.page = string(read(reports.SummaryFile)), string(read(reports.ReportFile))
	wrong := json.Unmarshal(read(reports.ResultsFile), &out.results)
	suites, malformed := junit.Ingest(read(reports.JUnitFile))
	out.junit = suites
	return out, errors.Join(err, wrong, malformed, junitError(read(reports.JUnitFile)))
}

// uses keeps a folder as a run that is under way does, until the script ends: uses FOLDER.
func uses(ts *testscript.TestScript, _ bool, args []string) {
	f, err := reports.OpenFolder(ts.MkAbs(args[0]), false)
	ts.Check(err)
	ts.Defer(func() { _ = f.Close() })
}
