package load_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load"
	"petconform/load/record"
	"petconform/spec/long"
)

// mostJudged is how much memory the judging of a small recording may take: 256 MiB.
const mostJudged = 256 << 20

// judged reads and judges a recording. It returns an error if that panics, takes too long or too much memory, but not if Read
// returns an error.
func judged(text string) (wrong string) {
	defer func() {
		if v := recover(); v != nil {
			wrong = fmt.Sprintf("panic: %v", v)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := time.Now()
	rec, err := record.Read(strings.NewReader(text))
	if err == nil {
		_, err = load.Judge(rec)
	}
	if took := time.Since(begun); took > 20*time.Second {
		return fmt.Sprintf("it took %s (%v)", took, err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > mostJudged {
		return fmt.Sprintf("it took %d MiB (%v)", (after.TotalAlloc-before.TotalAlloc)>>20, err)
	}
	return ""
}

// token matches a value of a JSON line.
var token = regexp.MustCompile(`:("[^"]*"|-?[0-9][0-9.e+-]*|true|false|\[|\{)`)

// TestCraftedRecordings replaces each kind of value in a recording with impossible values. A recording may come from anyone, so it must
// be judged, or refused with the line, in bounded time.
func TestCraftedRecordings(t *testing.T) {
	data, err := os.ReadFile("testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if wrong := judged(text); wrong != "" {
		t.Fatal(wrong)
	}
	seen, most := map[string]int{}, long.Times(t, 1, 3)
	variants := 0
	for _, at := range token.FindAllStringSubmatchIndex(text, -1) {
		name := text[max(0, at[0]-14):at[0]]
		if seen[name]++; seen[name] > most {
			continue
		}
		for _, value := range []string{"-1", "0", "1", "9223372036854775807", "-9223372036854775808", "1e308", "4294967296", `""`, `"x"`, "null", "[]", "{}"} {
			changed := text[:at[2]] + value + text[at[3]:]
			variants++
			if wrong := judged(changed); wrong != "" {
				t.Errorf("%s: %s instead of %s: %s", name, value, text[at[2]:at[3]], wrong)
			}
		}
	}
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		variants += 2
		for what, changed := range map[string][]string{"without": slices.Delete(slices.Clone(lines), i, i+1), "twice": slices.Insert(slices.Clone(lines), i, lines[i])} {
			if wrong := judged(strings.Join(changed, "")); wrong != "" {
				t.Errorf("line %d %s: %s", i+1, what, wrong)
			}
		}
	}
	t.Logf("%d recordings", variants)
}

// FuzzJudge reads and judges arbitrary files.
func FuzzJudge(f *testing.F) {
	data, err := os.ReadFile("testdata/small.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if wrong := judged(string(data)); wrong != "" {
			t.Error(wrong)
		}
	})
}
