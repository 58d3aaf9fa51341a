package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"petconform/load"
)

// LoadProgress shows the keys of a load run: on a terminal one line for each key, redrawn in place; elsewhere one line
// for each phase of a key.
type LoadProgress struct {
	screen
	keys   []keyProgress
	halted bool
}

// keyProgress is the newest event of a key, and when it came.
type keyProgress struct {
	load.Event
	at time.Time
}

const (
	// progressLines is the most lines that a terminal shows; more keys are summed up in one line.
	progressLines = 8
	// pipedKeys is the largest number of keys whose phases are printed if there is no terminal.
	pipedKeys = 16
)

func NewLoadProgress(w io.Writer) *LoadProgress { return &LoadProgress{screen: screenOn(w)} }

// EverySecond redraws a terminal's lines until stop is called, so that waits count down between events. safely runs a
// function and reports its panic.
func (p *LoadProgress) EverySecond(safely func(func())) (stop func()) {
	done := make(chan struct{})
	go safely(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for p.terminal {
			select {
			case <-tick.C:
				p.tick()
			case <-done:
				return
			}
		}
	})
	return func() { close(done) }
}

func (p *LoadProgress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.show()
}

// Event shows an event of the run.
func (p *LoadProgress) Event(e load.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.keys, func(k keyProgress) bool { return k.Label == e.Label })
	if i < 0 {
		i, p.keys = len(p.keys), append(p.keys, keyProgress{})
	}
	k := &p.keys[i]
	changed := k.Label == "" || k.Phase != e.Phase || k.Round != e.Round
	waits := k.Waiting == 0 && e.Waiting > 0
	k.Event, k.at = e, p.now()
	switch {
	case p.terminal && (changed || waits) || p.due():
		p.show()
	case !p.terminal && changed && len(p.keys) <= pipedKeys:
		fmt.Fprintf(p.out, "%s: %s (%d sent, %d accepted, %d refused%s, %s)\n", e.Label, e.Doing, e.Sent, e.Accepted, e.Refused,
			allowance(e, ", allowance "), timeLeft(e.Left))
	}
}

func (p *LoadProgress) show() {
	lines := []string{p.sum()}
	if len(p.keys) <= progressLines {
		lines = nil
		for _, k := range p.keys {
			lines = append(lines, k.line(p.now()))
		}
	}
	if !p.halted {
		p.draw(lines)
	}
}

// line shows one key: phase, requests sent, allowance, the rest of a wait, and the time that is left.
func (k keyProgress) line(now time.Time) string {
	label := []rune(k.Label)
	if len(label) > 10 {
		label = append(label[:9], '…')
	}
	state, left := "", timeLeft(k.left(now))
	if wait := k.Waiting - now.Sub(k.at); k.Waiting > 0 && wait > 0 {
		state = "waits " + brief(wait)
	}
	phase := string(k.Phase)
	if k.Done {
		phase, state, left = "done", "", ""
	}
	return strings.TrimRight(fmt.Sprintf("%-10s %-14s %6d sent %16s %-11s %12s", string(label), phase, k.Sent,
		allowance(k.Event, ""), state, left), " ")
}

func (k keyProgress) left(now time.Time) time.Duration { return max(0, k.Left-now.Sub(k.at)) }

// sum shows many keys in one line.
func (p *LoadProgress) sum() string {
	done, sent, refused, left := 0, 0, 0, time.Duration(0)
	for _, k := range p.keys {
		sent, refused, left = sent+k.Sent, refused+k.Refused, max(left, k.left(p.now()))
		if k.Done {
			done++
		}
	}
	return fmt.Sprintf("%d keys, %d done: %d sent, %d refused, %s", len(p.keys), done, sent, refused, timeLeft(left))
}

// timeLeft formats an estimate, without digits that are more precise than the estimate.
func timeLeft(d time.Duration) string { return "~" + brief(d) + " left" }

// brief is a time in seconds, in minutes and seconds, or in hours and minutes.
func brief(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// allowance is what the newest response says is left of the limit.
func allowance(e load.Event, before string) string {
	if e.Limit < 0 {
		return ""
	}
	return fmt.Sprintf("%s%d of %d", before, e.Remaining, e.Limit)
}

// Stopped prints what stopped the run, at once.
func (p *LoadProgress) Stopped(cause error) {
	p.End()
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "Stopped: %v. Waiting for requests in flight.\n", cause)
}

// End clears the lines. Further events are not shown.
func (p *LoadProgress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.halted = true
}
