package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
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

// accusesNobody wants no verdict of a recording that breaks off, and no requirement to have failed.
func accusesNobody(t *testing.T, res verdict.Results) {
	t.Helper()
	if res.Verdict != verdict.NoVerdict {
		t.Errorf("no verdict is wanted, not %s: %v", res.Verdict, res.Reasons)
	}
	for _, q := range res.Requirements {
		if q.Verdict == verdict.Failed {
			t.Errorf("%s is accused", q.ID)
		}
	}
}

// TestCutRecordings cuts a recording of a lawful service at two hundred places: none of what is left accuses it, and none conforms.
func TestCutRecordings(t *testing.T) {
	t.Parallel()
	key := reference.RandomKey("cut", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := conformance.Serving(service, key.Secret.Reveal())
	var whole bytes.Buffer
	cfg.Recording = &whole
	if _, err := run.Send(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	data := bytes.TrimRight(whole.Bytes(), "\n")
	for i := range 200 {
		at := len(data) * i / 200
		rec, err := exchange.Read(bytes.NewReader(data[:at]))
		if err != nil {
			if !regexp.MustCompile(`empty|line 1`).MatchString(err.Error()) {
				t.Errorf("cut at %d: %v", at, err)
			}
			continue
		}
		accusesNobody(t, judge.Recording(rec))
	}
}

// plantedBy makes something happen to the process that the test's binary stands in for: "sending:30:interrupt" interrupts it as it
// is about to send for the 30th time. Actions are panic, interrupt, stuck, kill, remove=NAME for a file or a folder, and mkdir=NAME.
func plantedBy(plan string) func(string) {
	parts := strings.SplitN(plan, ":", 3)
	if len(parts) != 3 {
		return func(string) {}
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("PLANT=%s: STAGE:TIMES:ACTION is wanted", plan))
	}
	var times atomic.Int64
	return func(name string) {
		if name != parts[0] || times.Add(1) != at {
			return
		}
		action, arg, _ := strings.Cut(parts[2], "=")
		switch action {
		case "panic":
			panic("planted in " + name)
		case "interrupt":
			signalSelf(os.Interrupt)
		case "stuck": // it interrupts itself again and again, and hears nothing
			for {
				signalSelf(os.Interrupt)
				time.Sleep(10 * time.Millisecond)
			}
		case "kill":
			signalSelf(os.Kill)
			select {} // it comes before anything else is done
		case "remove":
			if err := os.RemoveAll(arg); err != nil {
				panic(err)
			}
		case "mkdir":
			if err := os.MkdirAll(arg, 0o755); err != nil {
				panic(err)
			}
		}
	}
}

func signalSelf(s os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil {
		panic(err)
	}
}
