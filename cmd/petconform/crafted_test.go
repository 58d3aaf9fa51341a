package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// crafted is a file that somebody made to take memory or disk, put in the place of one of a run's.
type crafted struct {
	name string
	file string
	// data is what the file has. It gets the file as the run wrote it.
	data func(whole string) string
	// packed says that the file is handed over in a bundle.
	packed bool
	// unused says that the run is judged from its recording and does without the file.
	unused bool
	says   string
}

func craftedFiles() []crafted {
	beforeSchema := func(member string) func(string) string {
		return func(whole string) string { return strings.Replace(whole, `"schema"`, member+`,"schema"`, 1) }
	}
	nested := func(levels, values int) func(string) string {
		return beforeSchema(`"load":` + strings.Repeat("[", levels) + strings.Repeat("0,", values) + "0" +
			strings.Repeat("]", levels))
	}
	checks := func(n int) func(string) string {
		return beforeSchema(`"checks":[` + strings.Repeat("{},", n) + "{}]")
	}
	lines := func(n int) func(string) string {
		return func(whole string) string {
			meta, _, _ := strings.Cut(whole, "\n")
			var b strings.Builder
			b.WriteString(meta + "\n")
			for i := range n {
				fmt.Fprintf(&b, `{"exchange":{"n":%d,"sent":"2026-01-01T00:00:00Z","response":{"status":200}}}`+"\n", i+1)
			}
			return b.String()
		}
	}
	const results, recording = reports.ResultsFile, reports.RecordingFile
	return []crafted{
		{name: "results, 60,000 levels deep", file: results, data: nested(60_000, 1), says: "nested deeper than"},
		{name: "results, 60 levels deep and wide", file: results, data: nested(60, 1_000_000), says: "nested deeper than"},
		{name: "results, many checks", file: results, data: checks(10_000_000), says: "more objects or values"},
		{name: "results, as many checks as may be", file: results, data: checks(520_000), unused: true, says: "CONFORMS"},
		{name: "results, as many strings as may be", file: results, unused: true, says: "CONFORMS",
			data: beforeSchema(`"checks":[{"because":[` + strings.Repeat(`"",`, 4_150_000) + `""]}]`)},
		{name: "results, a wide load block, which stays text", file: results, data: nested(14, 10_000_000), unused: true,
			says: "CONFORMS"},
		{name: "results, many checks, in a bundle", file: results, data: checks(10_000_000), packed: true,
			says: "more objects or values"},
		{name: "a bundle of NULs", file: results, data: func(string) string { return strings.Repeat("\x00", 80<<20) }, packed: true, says: "results.json is larger than"},
		{name: "a recording of 300,000 exchanges", file: recording, data: lines(300_000), says: "more than"},
		{name: "a recording of 300,000 exchanges, in a bundle", file: recording, data: lines(300_000), packed: true, says: "more than"},
	}
}

// The bounds of reading files that anyone may have made.
const (
	mostReadMemory  = 384 << 20
	mostReadWritten = 1 << 20
)

// TestCraftedFiles: a file that was made to take memory or disk is refused with a reason, within bounds. What
// results.json claims decides nothing beside a recording, so the load block, which stays text, may be wide.
func TestCraftedFiles(t *testing.T) {
	long.Only(t, "files as large as petconform reads, and the memory that it takes for them")
	run := filepath.Join(t.TempDir(), "run")
	if out, err := command(os.Environ(), os.Args[0], "check", "--out", run).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range craftedFiles() {
		t.Run(c.name, func(t *testing.T) {
			dir, out := t.TempDir(), t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(run)); err != nil {
				t.Fatal(err)
			}
			whole, err := os.ReadFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			data, args := c.data(string(whole)), []string{"report", dir, "--out", out}
			if c.packed {
				args = []string{"verify", packed(t, run, c.file, data)}
			} else {
				put(t, dir, c.file, []byte(data))
			}
			want := verdict.ExitNoVerdict
			if c.unused {
				want = verdict.ExitConforms
			}
			crafts(t, out, args, want, c.says)
		})
	}
}

// crafts runs a command that reads a crafted file. What it writes into out counts.
func crafts(t *testing.T, out string, args []string, code int, says string) {
	t.Helper()
	r := measured(t, out, nil, args, nil)
	if r.code != code || !strings.Contains(r.said, says) {
		t.Errorf("exit code %d, %.300q; %d and %q are wanted", r.code, r.said, code, says)
	}
	if written := r.disk + int64(len(r.said)); r.memory > mostReadMemory || written > mostReadWritten {
		t.Errorf("%d MiB of memory, %d KiB written; at most %d MiB and %d KiB are wanted", r.memory>>20, written>>10, mostReadMemory>>20, mostReadWritten>>10)
	}
}

// packed makes an archive of results.json and release.json of a run, and puts data in the place of one file, or adds it.
func packed(t *testing.T, run, name, data string) string {
	t.Helper()
	files := bundle.Files{}
	for _, own := range []string{reports.ResultsFile, reports.ReleaseFile} {
		var err error
		if files[own], err = os.ReadFile(filepath.Join(run, own)); err != nil {
			t.Fatal(err)
		}
	}
	files[name] = []byte(data)
	path := filepath.Join(t.TempDir(), bundle.File)
	var archive bytes.Buffer
	if err := files.Pack(&archive); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCraftedLoads: lines of a load's recording that are like a large one, or say nothing, take no memory of their own.
func TestCraftedLoads(t *testing.T) {
	long.Only(t, "recordings as large as a load may write")
	small, err := os.ReadFile("../../load/testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	meta, rest, _ := strings.Cut(string(small), "\n")
	var first string
	for line := range strings.Lines(rest) {
		if strings.Contains(line, `"n":1,`) {
			first = line
			break
		}
	}
	many := make(map[string][]string, 5000)
	for i := range 5000 {
		many[fmt.Sprintf("%x", i)] = nil
	}
	wide, _ := json.Marshal(many) // names and no values have no error
	name := strings.Repeat("x", 20_000)
	for what, c := range map[string]struct {
		first, like string
		code        int
		says        string
	}{
		"many headers": {strings.Replace(first, `"header":{`, `"header":{`+strings.Trim(string(wide), "{}")+",", 1),
			`,"headers":["Date"]`, verdict.ExitDeviates, "DEVIATES"},
		"a long name": {`{"exchange":{"n":1,"sent":"2026-11-21T21:05:27Z","request":{"method":"POST","path":"/pets","body":"{\"name\":\"` + name +
			`\"}"},"response":{"status":201,"proto":"HTTP/1.1","header":{},"body":"{\"id\":7,\"name\":\"` + name + `\",\"categoryId\":1}"}}}` + "\n",
			"", verdict.ExitDeviates, "DEVIATES"},
		"empty fields": {first,
			`,"headers":[` + strings.Repeat(`"",`, 100_000) + `""]`, verdict.ExitNoVerdict, "the file was changed"},
	} {
		t.Run(what, func(t *testing.T) {
			var file strings.Builder
			file.WriteString(meta + "\n" + c.first)
			n := 1
			for ; file.Len() < 1<<20; n++ {
				fmt.Fprintf(&file, `{"exchange":{"n":%d,"sent":"2026-11-21T21:05:27Z","like":1%s}}`+"\n", n+1, c.like)
			}
			fmt.Fprintf(&file, `{"end":{"ended":"2026-11-21T21:05:40Z","exchanges":%d}}`+"\n", n)
			dir := t.TempDir()
			put(t, dir, "crafted.jsonl", []byte(file.String()))
			crafts(t, t.TempDir(), []string{"judge", filepath.Join(dir, "crafted.jsonl"), "--out", filepath.Join(dir, "out")},
				c.code, c.says)
		})
	}
}

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}
