package load

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
)

// jqLine returns the program of jq in README.md, which makes vegeta's results from a recording.
func jqLine(t *testing.T) string {
	t.Helper()
	manual, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, from, _ := strings.Cut(string(manual), "jq -cn '")
	program, _, found := strings.Cut(from, "' load-recording.jsonl")
	if !found {
		t.Fatal("README.md has no program of jq")
	}
	return program
}

// TestVegetaReadsARecording runs the program on a recording, and decodes what it writes with vegeta's own decoder, as vegeta's commands do.
func TestVegetaReadsARecording(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip(err)
	}
	file, err := os.ReadFile("testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(jq, "-cn", jqLine(t))
	cmd.Stdin = bytes.NewReader(file)
	lines, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("jq: %v\n%s", err, lines)
	}
	decode := vegeta.DecoderFor(bytes.NewReader(lines))
	if decode == nil {
		t.Fatalf("vegeta does not read\n%.300s", lines)
	}
	for _, r := range rec.Records {
		var res vegeta.Result
		if err := decode(&res); err != nil {
			t.Fatal(err)
		}
		x := rec.Of(r)
		want := vegeta.Result{Attack: "Free " + string(r.Phase), Seq: uint64(r.N), Code: uint16(r.Status), Latency: r.Done,
			Timestamp: rec.Meta.Started.Add(r.Sent), Method: x.Request.Method, URL: rec.Meta.Target + x.Request.Path,
			BytesIn: uint64(x.Response.Size)}
		if !res.Equal(want) {
			t.Fatalf("request %d: want %+v; got %+v", r.N, want, res)
		}
	}
}
