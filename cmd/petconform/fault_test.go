package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec/exchange"
)

// TestImpossibleRecording: figures that can't be are refused when a recording is read, with the line that has them.
func TestImpossibleRecording(t *testing.T) {
	recording, err := os.ReadFile(filepath.Join(runIn(t), "out", reports.RecordingFile))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(recording)
	for from, to := range map[string]string{
		`"status":200`:     `"status":0`,
		`"doneNs":`:        `"doneNs":-`,
		`"size":`:          `"size":-1`,
		`"firstByteNs":`:   `"firstByteNs":9000000`,
		`"proto":"HTTP/1.`: `"status":99,"proto":"HTTP/1.`,
		`{"n":2,`:          `{"n":1,`,
	} {
		damaged := strings.Replace(whole, from, to, 1)
		if damaged == whole {
			t.Fatalf("the recording has no %s", from)
		}
		if _, err := exchange.Read(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), "line ") && !strings.Contains(err.Error(), "number 1") {
			t.Errorf("%s: %v; an error that names the line is wanted", to, err)
		}
	}
}
