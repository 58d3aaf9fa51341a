package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"petconform/load"
)

// loadProgress tells how each key of a load run gets on: a line that is written over on a terminal, a line for each phase
// elsewhere.
type loadProgress struct {
	out      io.Writer
	terminal bool

	mu     sync.Mutex
	last   time.Time
	drawn  bool
	newest map[string]load.Event
	order  []string
}

func newLoadProgress(w io.Writer) *loadProgress {
	return &loadProgress{out: w, terminal: isTerminal(w), newest: map[string]load.Event{}}
}

func (p *loadProgress) event(e load.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, known := p.newest[e.Label]
	if !known {
		p.order = append(p.order, e.Label)
	}
	p.newest[e.Label] = e
	changed := !known || before.Phase != e.Phase || before.Round != e.Round
	switch {
	case !p.terminal && changed && len(p.order) <= 16:
		fmt.Fprintf(p.out, "%s: %s (%s)\n", e.Label, e.Doing, counted(e))
	case p.terminal && time.Since(p.last) >= redraw:
		p.last, p.drawn = time.Now(), true
		line := p.line()
		if r := []rune(line); len(r) > 78 {
			line = string(r[:77]) + "…"
		}
		fmt.Fprint(p.out, "\r\x1b[2K"+line)
	}
}

// line tells of the one key in words, of two or three in figures, and of many how they are on the whole.
func (p *loadProgress) line() string {
	if len(p.order) == 1 {
		e := p.newest[p.order[0]]
		return fmt.Sprintf("%s %s %d: %s", e.Label, e.Phase, e.Round, counted(e))
	}
	var sum load.Event
	done, left := 0, time.Duration(0)
	parts := make([]string, 0, len(p.order))
	for _, label := range p.order {
		e := p.newest[label]
		sum.Sent, sum.Accepted, sum.Refused = sum.Sent+e.Sent, sum.Accepted+e.Accepted, sum.Refused+e.Refused
		left = max(left, e.Left)
		if e.Done {
			done++
		}
		parts = append(parts, fmt.Sprintf("%s %s %d/%d%s", label, e.Phase, e.Accepted, e.Sent, allowance(e, ", ")))
	}
	if len(p.order) <= 3 {
		return fmt.Sprintf("%s | %s", strings.Join(parts, " | "), left.Round(time.Second))
	}
	return fmt.Sprintf("%d keys, %d through: %d sent, %d accepted, %d refused, %s left", len(p.order), done, sum.Sent, sum.Accepted, sum.Refused,
		left.Round(time.Second))
}

func counted(e load.Event) string {
	return fmt.Sprintf("%d sent, %d accepted, %d refused%s, %s left", e.Sent, e.Accepted, e.Refused, allowance(e, ", allowance "), e.Left.Round(time.Second))
}

// allowance is what the newest answer says is left of the limit.
func allowance(e load.Event, before string) string {
	if e.Limit < 0 {
		return ""
	}
	return fmt.Sprintf("%s%d of %d", before, e.Remaining, e.Limit)
}

func (p *loadProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[2K")
		p.drawn = false
	}
}
