// Package terminal prints for a person: the progress of a run, and tables, as wide as a terminal.
package terminal

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/reports/safe"
	"petconform/spec"
)

// Progress prints the progress of a run: lines of what happens, and on a terminal below them one that is overwritten.
type Progress struct {
	out      *Output
	terminal bool
	now      func() time.Time

	mu    sync.Mutex
	last  time.Time
	drawn bool                  // the line that is overwritten
	why   string                // the reason of the last wait
	keys  map[string]load.Event // the newest event of each key of a load
}

// NewProgress returns a Progress that prints to w.
func NewProgress(w *Output) *Progress {
	return &Progress{out: w, terminal: is(w), now: time.Now, keys: map[string]load.Event{}}
}

const (
	// longWait is the shortest wait that is told although the last had the same reason.
	longWait = 5 * time.Second
	// redraw is the shortest time between two changes of what a terminal shows.
	redraw = 50 * time.Millisecond
	// toldKeys is the largest number of keys whose phases are told one by one.
	toldKeys = 16
)

// Start prints what a check will send, and where to.
func (p *Progress) Start(cfg conformance.Config, plan run.Plan) {
	about := ""
	if cfg.Reference {
		about = ", the built-in reference service"
	}
	p.say("Checking %s", strings.Join(append([]string{cfg.Base.String() + about}, cfg.Way...), ", "))
	about = ""
	if !cfg.Fitted {
		about = "; about " + spec.Count(plan.Requests()+plan.Exploring, "request")
	}
	p.say("Checks and rules: %d%s", len(plan.Judged), about)
	wanted := cmp.Or(cfg.Wanted, cfg.MaxCreates)
	creates := min(plan.Creates(), wanted)
	if plan.Exploring > 0 && creates > 0 {
		creates = wanted
	}
	if creates > 0 {
		about := spec.Count(creates, "animal")
		if creates < cfg.MaxCreates { // a target that accepts what it has to refuse creates more
			about = fmt.Sprintf("About %s, at most %d,", about, cfg.MaxCreates)
		}
		p.say("%s will be created. They stay: there is no delete.", about)
	}
}

// Check shows an event of a check.
func (p *Progress) Check(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Size != "":
		p.say("Size: %s", e.Size)
	case e.Waiting != "" && e.Waiting == p.why && e.Wait < longWait:
	case e.Waiting != "":
		p.why = e.Waiting
		p.say("Waiting %s: %s", max(time.Second, e.Wait.Round(time.Second)), e.Waiting)
	default:
		p.draw(fmt.Sprintf("%d of about %d requests", e.Requests, e.Planned))
	}
}

// Load shows an event of a load: a line for each phase of a key, and what all keys have sent.
func (p *Progress) Load(e load.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, known := p.keys[e.Label]
	p.keys[e.Label] = e
	if (!known || before.Phase != e.Phase || before.Round != e.Round) && len(p.keys) <= toldKeys {
		allowance := ""
		if e.Limit >= 0 {
			allowance = fmt.Sprintf("allowance %d of %d, ", e.Remaining, e.Limit)
		}
		p.say("%s: %s (%d sent, %d accepted, %d refused, %sabout %s left)", e.Label, e.Doing, e.Sent, e.Accepted, e.Refused,
			allowance, inWords(e.Left))
	}
	sent, refused, left := 0, 0, time.Duration(0)
	for _, k := range p.keys {
		sent, refused, left = sent+k.Sent, refused+k.Refused, max(left, k.Left)
	}
	p.draw(fmt.Sprintf("%d sent, %d refused, about %s left; %s: %s", sent, refused, inWords(left), e.Label, e.Doing))
}

// Stopped prints what stopped the run, at once.
func (p *Progress) Stopped(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say("Stopped: %v. Waiting for requests in flight.", cause)
}

// End clears the line that is overwritten.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *Progress) say(format string, args ...any) {
	p.clear()
	Sentence(p.out, format, args...)
}

// draw writes a line over the one before, unless that is too new. One column stays free: a terminal wraps a line that
// fills the last one.
func (p *Progress) draw(line string) {
	if !p.terminal || p.now().Sub(p.last) < redraw {
		return
	}
	p.clear()
	p.last, p.drawn = p.now(), true
	fmt.Fprintln(p.out, safe.Clip(line, Width(p.out)-1))
}

func (p *Progress) clear() {
	if p.drawn {
		fmt.Fprint(Commands{p.out}, "\x1b[1A\r\x1b[J")
		p.drawn = false
	}
}
