package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// The bounds of reading files that anyone may have made.
const (
	mostReadMemory  = 384 << 20
	mostReadWritten = 2 << 20
)

// beforeSchema adds a member to results.json.
func beforeSchema(member string) func(string) string {
	return func(whole string) string { return strings.Replace(whole, `"schema"`, member+`,"schema"`, 1) }
}

// exchanges is a recording of 300,000 exchanges.
func exchanges(whole string) string {
	meta, _, _ := strings.Cut(whole, "\n")
	var b strings.Builder
	b.WriteString(meta + "\n")
	for i := range 300_000 {
		fmt.Fprintf(&b, `{"exchange":{"n":%d,"sent":"2026-01-01T00:00:00Z","response":{"status":200}}}`+"\n", i+1)
	}
	return b.String()
}

// manyHeaders is the recording of a load in which each line has the 5,000 headers of the first one, by a reference.
func manyHeaders(t *testing.T) string {
	small, err := os.ReadFile("../../load/testdata/small.jsonl")
	noError(t, err)
	lines := strings.SplitAfter(string(small), "\n")
	first := lines[slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, `"n":1,`) })]
	var headers, b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&headers, `"%x":null,`, i)
	}
	b.WriteString(lines[0] + strings.Replace(first, `"header":{`, `"header":{`+headers.String(), 1))
	n := 1
	for ; b.Len() < 1<<20; n++ {
		fmt.Fprintf(&b, `{"exchange":{"n":%d,"sent":"2026-11-21T21:05:27Z","like":1,"headers":["Date"]}}`+"\n", n+1)
	}
	fmt.Fprintf(&b, `{"end":{"ended":"2026-11-21T21:05:40Z","exchanges":%d}}`+"\n", n)
	return b.String()
}

// TestCraftedFiles: a file that was made to take memory or disk is refused with a reason, within bounds. What
// results.json claims decides nothing beside a recording.
func TestCraftedFiles(t *testing.T) {
	long.Only(t, "files as large as petconform reads, and the memory that it takes for them")
	run := filepath.Join(t.TempDir(), "run")
	if out, err := command(os.Environ(), os.Args[0], "check", "--out", run).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const results = reports.ResultsFile
	for _, c := range []struct {
		name, file string
		data       func(whole string) string // of the file as the run wrote it
		code       int
		says       string
	}{
		{"results, 60,000 levels deep", results,
			beforeSchema(`"load":` + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000)), verdict.ExitConforms, "CONFORMS"},
		{"results, many checks", results, beforeSchema(`"checks":[` + strings.Repeat("{},", 10_000_000) + "{}]"), verdict.ExitConforms, "CONFORMS"},
		{"results, as many strings as may be", results,
			beforeSchema(`"checks":[{"because":[` + strings.Repeat(`"",`, 4_150_000) + `""]}]`), verdict.ExitConforms, "CONFORMS"},
		{"many exchanges", reports.RecordingFile, exchanges, verdict.ExitNoVerdict, "more than"},
		{"many headers", reports.LoadRecordingFile, func(string) string { return manyHeaders(t) }, verdict.ExitNoVerdict, "NO VERDICT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, out := t.TempDir(), t.TempDir()
			noError(t, os.CopyFS(dir, os.DirFS(run)))
			whole, _ := os.ReadFile(filepath.Join(dir, c.file)) // a check has none of a load
			file := put(t, dir, c.file, []byte(c.data(string(whole))))
			args := []string{"report", dir}
			if c.file != results {
				args = []string{"judge", file}
			}
			r := measured(t, out, nil, append(args, "--out", filepath.Join(out, "out")), nil)
			if r.code != c.code || !strings.Contains(r.said, c.says) {
				t.Errorf("exit code %d, %.300q; %d and %q are wanted", r.code, r.said, c.code, c.says)
			}
			if written := r.disk + int64(len(r.said)); r.memory > mostReadMemory || written > mostReadWritten {
				t.Errorf("%s, %d KiB written; at most %d MiB and %d KiB are wanted", r, written>>10, mostReadMemory>>20, mostReadWritten>>10)
			}
		})
	}
}

// put writes a file below a folder, and the folders on the way to it.
func put(t *testing.T, dir, name string, data []byte) (file string) {
	t.Helper()
	file = filepath.Join(dir, name)
	noError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, data, 0o600)))
	return file
}
