package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/load"
	"petconform/load/record"
)

// lines is a terminal: it keeps the lines that a person would see.
type lines struct {
	shown []string
	row   int
}

var upAndErase = regexp.MustCompile("^\x1b\\[(\\d+)A\r\x1b\\[J")

func (s *lines) Write(data []byte) (int, error) {
	text := string(data)
	if m := upAndErase.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		s.row -= n
		s.shown = s.shown[:s.row]
		text = text[len(m[0]):]
	}
	if strings.ContainsAny(text, "\x1b\r") {
		return 0, fmt.Errorf("%q is not known to this terminal", text)
	}
	for line := range strings.Lines(text) {
		s.shown = append(s.shown, strings.TrimSuffix(line, "\n"))
		s.row++
	}
	return len(data), nil
}

// TestLoadProgressOnATerminal: one line for each plan, redrawn in place; waits and the time left count down without an
// event.
func TestLoadProgressOnATerminal(t *testing.T) {
	var s lines
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := &LoadProgress{screen: screen{out: Safe{To: &s}, terminal: true, now: func() time.Time { return now }}}
	shows := func(want ...string) {
		t.Helper()
		if !slices.Equal(s.shown, want) {
			t.Errorf("the terminal shows\n%s\nand should show\n%s", strings.Join(s.shown, "\n"), strings.Join(want, "\n"))
		}
		for _, l := range s.shown {
			if n := len([]rune(l)); n >= 80 {
				t.Errorf("%d columns: %s", n, l)
			}
		}
	}
	p.Event(load.Event{Label: "Free", Phase: record.Headers, Limit: -1, Left: 11 * time.Minute})
	p.Event(load.Event{Label: "Pro", Phase: record.Fill, Sent: 12, Limit: 300, Remaining: 288, Left: 10 * time.Minute})
	p.Event(load.Event{Label: "Business", Phase: record.RefusedCreate, Sent: 104006, Limit: 100000, Remaining: 100000, Left: 24 * time.Hour, Waiting: 2 * time.Hour})
	p.Event(load.Event{Label: "Enterprise (ban)", Phase: record.Ban, Sent: 3, Limit: 5000, Remaining: 4997, Left: 90 * time.Second})
	shows("Free       read                0 sent                              ~11m00s left",
		"Pro        fill               12 sent       288 of 300             ~10m00s left",
		"Business   refused-create 104006 sent 100000 of 100000 waits 2h00m ~24h00m left",
		"Enterpris… ban                 3 sent     4997 of 5000              ~1m30s left")

	now = now.Add(redraw / 2) // too soon to redraw for nothing but a count
	p.Event(load.Event{Label: "Pro", Phase: record.Fill, Sent: 13, Limit: 300, Remaining: 287, Left: 10 * time.Minute})
	if !strings.Contains(s.shown[1], "12 sent") {
		t.Errorf("redrawn after %s: %s", redraw/2, s.shown[1])
	}
	p.Event(load.Event{Label: "Free", Phase: record.Fill, Sent: 61, Limit: 60, Left: 8 * time.Minute, Waiting: 41 * time.Second})
	now = now.Add(39 * time.Second)
	p.tick()
	shows("Free       fill               61 sent          0 of 60 waits 2s     ~7m21s left",
		"Pro        fill               13 sent       287 of 300              ~9m21s left",
		"Business   refused-create 104006 sent 100000 of 100000 waits 1h59m ~23h59m left",
		"Enterpris… ban                 3 sent     4997 of 5000                ~51s left")
	now = now.Add(3 * time.Second)
	p.tick()
	if strings.Contains(s.shown[0], "waits") {
		t.Errorf("the wait is over: %s", s.shown[0])
	}
	p.Event(load.Event{Label: "Free", Phase: record.Overload, Done: true, Sent: 722, Limit: 60})
	if want := "Free       done              722 sent          0 of 60"; s.shown[0] != want {
		t.Errorf("%q; %q was wanted", s.shown[0], want)
	}

	for i := range progressLines {
		p.Event(load.Event{Label: fmt.Sprint("key ", i), Phase: record.Fill, Sent: 5, Refused: 1, Limit: -1, Left: time.Minute})
	}
	shows("12 keys, 1 done: 104784 sent, 8 refused, ~23h59m left")

	p.Stopped(errors.New("interrupt signal received"))
	p.Event(load.Event{Label: "Free", Phase: record.Overload, Sent: 723, Limit: 60})
	p.End()
	shows("Stopped: interrupt signal received. Waiting for requests in flight.")
}

// TestLoadProgressInAFile: one line as a phase begins, and nothing that moves a cursor.
func TestLoadProgressInAFile(t *testing.T) {
	var out bytes.Buffer
	p := NewLoadProgress(&out)
	stop := p.EverySecond(func(f func()) { f() })
	p.Event(load.Event{Label: "Free", Phase: record.Headers, Doing: "reading the headers", Limit: -1, Left: 44 * time.Second})
	p.Event(load.Event{Label: "Free", Phase: record.Headers, Doing: "waiting 1s between two looks", Sent: 1, Limit: 60, Remaining: 59, Waiting: time.Second})
	p.Event(load.Event{Label: "Free", Phase: record.Fill, Round: 1, Doing: "filling", Sent: 6, Accepted: 6, Limit: 60, Remaining: 54, Left: 42 * time.Second})
	stop()
	p.End()
	want := "Free: reading the headers (0 sent, 0 accepted, 0 refused, ~44s left)\n" +
		"Free: filling (6 sent, 6 accepted, 0 refused, allowance 54 of 60, ~42s left)\n"
	if out.String() != want {
		t.Errorf("%q was written; %q was wanted", out.String(), want)
	}
}
