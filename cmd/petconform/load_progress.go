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

	mu    sync.Mutex
	last  time.Time
	drawn bool
	doing map[string]string
	order []string
}

func newLoadProgress(w io.Writer) *loadProgress {
	return &loadProgress{out: w, terminal: isTerminal(w), doing: map[string]string{}}
}

func (p *loadProgress) event(e load.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	phase := fmt.Sprintf("%s %d", e.Phase, e.Round)
	if _, known := p.doing[e.Label]; !known {
		p.order = append(p.order, e.Label)
	}
	changed := !strings.HasPrefix(p.doing[e.Label], phase)
	p.doing[e.Label] = fmt.Sprintf("%s: %d sent, %d accepted, %d refused", phase, e.Sent, e.Accepted, e.Refused)
	switch {
	case !p.terminal && changed && len(p.order) <= 16:
		fmt.Fprintf(p.out, "%s: %s (%s left)\n", e.Label, e.Doing, e.Left.Round(time.Second))
	case p.terminal && time.Since(p.last) >= redraw:
		p.last, p.drawn = time.Now(), true
		parts := make([]string, 0, len(p.order))
		for _, label := range p.order[:min(3, len(p.order))] {
			parts = append(parts, label+" "+p.doing[label])
		}
		line := strings.Join(parts, " | ")
		if r := []rune(line); len(r) > 78 {
			line = string(r[:77]) + "…"
		}
		fmt.Fprint(p.out, "\r\x1b[2K"+line)
	}
}

func (p *loadProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[2K")
		p.drawn = false
	}
}
