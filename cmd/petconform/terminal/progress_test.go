package terminal

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"petconform/load"
	"petconform/load/record"
)

// TestLoadProgress: a line as a phase begins, and one after each silence.
func TestLoadProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&Output{To: &out})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.now = func() time.Time { return now }
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "reading the headers", Limit: -1, Left: 44 * time.Second})
	now = now.Add(silence - 1)
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "waiting 1s between two looks", Sent: 1, Limit: 60, Remaining: 59})
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 6, Accepted: 6, Limit: 60, Remaining: 54, Left: 42 * time.Second})
	now = now.Add(silence)
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 60, Accepted: 59, Refused: 1, Limit: 60, Left: 30 * time.Second})
	p.Stopped(errors.New("interrupt signal received"))
	const want = `Free: reading the headers (0 sent, 0 accepted, 0 refused, about 44 seconds left)
Free: filling (6 sent, 6 accepted, 0 refused, allowance 54 of 60, about 42 seconds left)
Free: filling (60 sent, 59 accepted, 1 refused, allowance 0 of 60, about 30 seconds left)
Stopped: interrupt signal received. Waiting for requests in flight.
`
	if out.String() != want {
		t.Errorf("%q was written; %q was wanted", out.String(), want)
	}
}
