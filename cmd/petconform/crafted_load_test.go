package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/spec/long"
	"petconform/spec/verdict"
)

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
	}{
		"many headers": {strings.Replace(first, `"header":{`, `"header":{`+strings.Trim(string(wide), "{}")+",", 1), `,"headers":[["Date"]]`, verdict.ExitDeviates},
		"a long name": {`{"exchange":{"n":1,"sent":"2026-11-21T21:05:27Z","request":{"method":"POST","path":"/pets","body":"{\"name\":\"` + name +
			`\"}"},"response":{"status":201,"proto":"HTTP/1.1","header":{},"body":"{\"id\":7,\"name\":\"` + name + `\",\"categoryId\":1}"}}}` + "\n", "", verdict.ExitDeviates},
		"empty fields": {first, `,"headers":[` + strings.Repeat("[],", 100_000) + `[]]`, verdict.ExitNoVerdict},
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
			path, peak := filepath.Join(dir, "crafted.jsonl"), filepath.Join(dir, "peak")
			if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := command(append(os.Environ(), "PEAK="+peak), os.Args[0], "judge", path, "--out", filepath.Join(dir, "out"))
			said, _ := cmd.CombinedOutput() // the exit code is held to below
			code, memory := cmd.ProcessState.ExitCode(), peakOf(t, peak)
			t.Logf("exit %d, %d MiB, CPU %.1f s: %.150s", code, memory>>20, cmd.ProcessState.UserTime().Seconds(), said)
			if code != c.code || memory > mostReadMemory {
				t.Errorf("exit code %d and %d MiB; %d and at most %d MiB are wanted: %.300s", code, memory>>20, c.code, mostReadMemory>>20, said)
			}
		})
	}
}
