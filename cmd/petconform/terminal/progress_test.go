package terminal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"petconform/load"
	"petconform/load/record"
)

// told shows a load of one key, with its events a second apart.
func told(p *Progress) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.now = func() time.Time { now = now.Add(time.Second); return now }
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "reading the headers", Limit: -1, Left: 44 * time.Second})
	p.Load(load.Event{Label: "Free", Phase: record.Headers, Doing: "waiting 1s between two looks", Sent: 1, Limit: 60, Remaining: 59, Waiting: time.Second})
	p.Load(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 6, Accepted: 6, Limit: 60, Remaining: 54, Left: 42 * time.Second})
	p.Stopped(errors.New("interrupt signal received"))
	p.End()
}

const lines = `Free: reading the headers (0 sent, 0 accepted, 0 refused, about 44 seconds left)
Free: filling (6 sent, 6 accepted, 0 refused, allowance 54 of 60, about 42 seconds left)
Stopped: interrupt signal received. Waiting for requests in flight.
`

// TestLoadProgress: in a file, one line as a phase begins, and nothing that moves a cursor. On a terminal another line is
// drawn below, over itself, and in the end it is gone.
func TestLoadProgress(t *testing.T) {
	var file, screen bytes.Buffer
	told(NewProgress(&Output{To: &file}))
	if file.String() != lines {
		t.Errorf("%q was written; %q was wanted", file.String(), lines)
	}
	p := NewProgress(&Output{To: &screen})
	p.terminal = true
	told(p)
	drawn, seen := 0, ""
	for i, part := range strings.Split(screen.String(), "\x1b[1A\r\x1b[J") {
		if i > 0 {
			drawn++
			seen = seen[:strings.LastIndex(strings.TrimSuffix(seen, "\n"), "\n")+1]
		}
		seen += part
	}
	const status = "1 sent, 0 refused, about 0 seconds left; Free: waiting 1s between two looks\n"
	if seen != lines || drawn != 3 || !strings.Contains(screen.String(), status) {
		t.Errorf("%d lines were drawn over; 3 and %q were wanted in %q, of which this is left:\n%s", drawn, status, screen.String(), seen)
	}
}
