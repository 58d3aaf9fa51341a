// Package terminal prints for a person: the progress of a run, and tables, as wide as a terminal.
package terminal

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/spec"
)

// Progress prints the progress of a check: on a terminal one line that is overwritten, elsewhere a few plain lines.
type Progress struct {
	screen
	why string // the reason of the last wait
}

func NewProgress(w io.Writer) *Progress { return &Progress{screen: screenOn(w)} }

// longWait is the shortest wait that is told although the last had the same reason.
const longWait = 5 * time.Second

// Start prints what will be sent, and where to.
func (p *Progress) Start(cfg conformance.Config, plan run.Plan) {
	about := ""
	if cfg.Reference {
		about = ", the built-in reference service"
	}
	if len(cfg.Way) > 0 {
		about += ", " + strings.Join(cfg.Way, ", ")
	}
	p.say("Checking %s%s", cfg.Base, about)
	what := "checks and rules"
	if len(plan.Judged) == 1 {
		what = "check or rule"
	}
	about = ""
	if !cfg.Fitted {
		about = "; about " + spec.Count(plan.Requests()+plan.Exploring, "request")
	}
	p.say("%d %s%s", len(plan.Judged), what, about)
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

func (p *Progress) say(format string, args ...any) {
	p.clear()
	Sentence(p.out, format, args...)
}

// Event shows an event of the run.
func (p *Progress) Event(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Size != "":
		p.say("Size: %s", e.Size)
	case e.Waiting != "" && e.Waiting == p.why && e.Wait < longWait:
	case e.Waiting != "":
		p.why = e.Waiting
		p.say("Waiting %s: %s", max(time.Second, e.Wait.Round(time.Second)), e.Waiting)
	case p.due():
		const width = 20
		full := min(width, width*e.Requests/max(1, e.Planned))
		p.draw([]string{fmt.Sprintf("[%s%s] %d of about %d requests, %d of %d checks",
			strings.Repeat("#", full), strings.Repeat(".", width-full), e.Requests, e.Planned, e.Checks, e.Of)})
	}
}

// End clears the line.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// redraw is the shortest time between two changes of what a terminal shows.
const redraw = 50 * time.Millisecond

// screen is the lines that show the progress of a run on a terminal. They are drawn over each other. Elsewhere it draws
// nothing.
type screen struct {
	out      io.Writer
	terminal bool
	now      func() time.Time

	mu    sync.Mutex
	last  time.Time
	drawn int // lines on the terminal
}

func screenOn(w io.Writer) screen { return screen{out: w, terminal: is(w), now: time.Now} }

// due reports whether the lines may be drawn again.
func (s *screen) due() bool { return s.terminal && s.now().Sub(s.last) >= redraw }

// draw writes the lines over those that it wrote before. A line that is too long loses the space between its columns,
// and then its end. One column stays free: a terminal wraps a line that fills the last one.
func (s *screen) draw(lines []string) {
	s.clear()
	s.last, s.drawn = s.now(), len(lines)
	for _, l := range lines {
		if most := Width(s.out) - 1; utf8.RuneCountInString(l) > most {
			l = strings.Join(strings.Fields(l), " ")
			if r := []rune(l); len(r) > most {
				l = string(r[:most-1]) + "…"
			}
		}
		fmt.Fprintln(s.out, l)
	}
}

func (s *screen) clear() {
	if s.drawn > 0 {
		fmt.Fprintf(bare(s.out), "\x1b[%dA\r\x1b[J", s.drawn)
		s.drawn = 0
	}
}
