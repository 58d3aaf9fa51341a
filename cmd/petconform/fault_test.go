package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/conformance/judge"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestImpossibleRecording: figures that can't be are refused when a recording is read, with the line that has them.
func TestImpossibleRecording(t *testing.T) {
	whole := string(recorded(t))
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
		_, err := exchange.Read(strings.NewReader(damaged))
		if err == nil || !regexp.MustCompile("line |number 1").MatchString(err.Error()) {
			t.Errorf("%s: %v; an error that names the line is wanted", to, err)
		}
	}
}

// TestCutRecordings cuts a recording of a lawful service at two hundred places: none of what is left accuses it, and none conforms.
func TestCutRecordings(t *testing.T) {
	data := bytes.TrimRight(recorded(t), "\n")
	for i := range 200 {
		at := len(data) * i / 200
		rec, err := exchange.Read(bytes.NewReader(data[:at]))
		if err != nil {
			if !regexp.MustCompile(`empty|line 1`).MatchString(err.Error()) {
				t.Errorf("cut at %d: %v", at, err)
			}
			continue
		}
		if res := judge.Recording(rec); res.Verdict != verdict.NoVerdict || len(res.Failed(spec.Must, spec.Should)) > 0 {
			t.Errorf("cut at %d: %s: %v", at, res.Verdict, res.Reasons)
		}
	}
}

// plantedBy makes something happen to the process that the test's binary stands in for: "sending:30:interrupt" interrupts it as it
// is about to send for the 30th time. Actions are panic, interrupt, stuck, kill, remove=NAME for a file or a folder, and mkdir=NAME.
func plantedBy(ctx context.Context, plan string) func(string) {
	parts := strings.SplitN(plan, ":", 3)
	if len(parts) != 3 {
		return func(string) {}
	}
	var times atomic.Int64
	return func(name string) {
		if name != parts[0] || fmt.Sprint(times.Add(1)) != parts[1] {
			return
		}
		self, err := os.FindProcess(os.Getpid())
		action, arg, _ := strings.Cut(parts[2], "=")
		switch action {
		case "panic":
			err = errors.New("planted in " + name)
		case "interrupt":
			err = self.Signal(os.Interrupt)
			<-ctx.Done() // the signal was heard
		case "stuck": // it interrupts itself again and again, and hears nothing
			for ; err == nil; err = self.Signal(os.Interrupt) {
				time.Sleep(10 * time.Millisecond)
			}
		case "kill":
			_ = self.Kill()
			select {} // it comes before anything else is done
		case "remove":
			err = os.RemoveAll(arg)
		case "mkdir":
			err = os.MkdirAll(arg, 0o755)
		}
		if err != nil {
			panic(err)
		}
	}
}
