package terminal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"petconform/conformance/run"
	"petconform/load"
	"petconform/load/record"
)

// TestCheckProgress: after a silence, what was sent and what was planned, which may be less.
func TestCheckProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&Output{To: &out})
	for _, after := range []time.Duration{silence - 1, silence, 2 * silence} {
		p.now = func() time.Time { return p.last.Add(after) }
		p.last = time.Now()
		p.Check(run.Event{Requests: 131, Planned: 125})
	}
	if want := strings.Repeat("131 requests sent, about 125 planned\n", 2); out.String() != want {
		t.Errorf("%q was written; %q was wanted", out.String(), want)
	}
}

// TestLoadProgress: a line as a phase begins, and one after each silence.
func TestLoadProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&Output{To: &out})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.now = func() time.Time { return now }
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "reading the headers", Left: 44 * time.Second})
	now = now.Add(silence - 1)
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "waiting 1s between two looks", Sent: 1})
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 6, Accepted: 6, Left: 42 * time.Second})
	now = now.Add(silence)
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 60, Accepted: 59, Refused: 1, Left: 30 * time.Second})
	now = now.Add(silence)
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 61, Accepted: 60, Refused: 1}) // the estimate has run out
	p.Stopped(errors.New("interrupt signal received"))
	const want = `Free: reading the headers (0 sent, 0 accepted, 0 refused, about 44 seconds left)
Free: filling (6 sent, 6 accepted, 0 refused, about 42 seconds left)
Free: filling (60 sent, 59 accepted, 1 refused, about 30 seconds left)
Free: filling (61 sent, 60 accepted, 1 refused)
Stopped: interrupt signal received. Waiting for requests in flight.
`
	if out.String() != want {
		t.Errorf("%q was written; %q was wanted", out.String(), want)
	}
}
