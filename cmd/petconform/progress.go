package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"petconform/conformance"
	"petconform/conformance/check"
	"petconform/conformance/drive"
	"petconform/reports"
	"petconform/spec"
)

// progress prints the progress of a run: on a terminal one line that is overwritten, elsewhere a few plain lines.
type progress struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	last  time.Time
	drawn bool
}

func newProgress(w io.Writer) *progress { return &progress{out: w, terminal: isTerminal(w)} }

func isTerminal(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// bare returns the writer below a safeWriter, which would escape the sequences that redraw lines.
func bare(w io.Writer) io.Writer {
	switch s := w.(type) {
	case safeWriter:
		return bare(s.to)
	case *output:
		return s.to
	case *printed:
		return bare(s.to)
	}
	return w
}

// printed remembers the first error of a writer, for a command whose only result is what it prints.
type printed struct {
	to  io.Writer
	err error
}

func (p *printed) Write(b []byte) (int, error) {
	n, err := p.to.Write(b)
	p.err = cmp.Or(p.err, err)
	return n, err
}

// style colours the output on a terminal, unless NO_COLOR is set.
func style(w io.Writer) reports.CardStyle {
	return reports.CardStyle{Colour: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (p *progress) start(t target, cfg conformance.Config, plan drive.Plan) {
	about := ""
	if t.reference {
		about = ", the built-in reference service"
	}
	if len(t.way) > 0 {
		about += ", " + strings.Join(t.way, ", ")
	}
	p.say("Checking %s%s", t.base, about)
	p.say("%s; about %s", judged(len(plan.Judged)), spec.Count(plan.Requests()+plan.Exploring, "request"))
	creates := min(plan.Creates(), cfg.MaxCreates)
	if plan.Exploring > 0 && creates > 0 {
		creates = cfg.MaxCreates
	}
	if creates > 0 {
		about := spec.Count(creates, "animal")
		if creates < cfg.MaxCreates { // a target that accepts what it has to refuse creates more
			about = fmt.Sprintf("About %s, at most %d,", about, cfg.MaxCreates)
		}
		p.say("%s will be created. They stay: there is no delete.", about)
	}
}

func judged(n int) string {
	if n == 1 {
		return "1 check or rule"
	}
	return fmt.Sprintf("%d checks and rules", n)
}

func (p *progress) say(format string, args ...any) {
	p.clear()
	sentence(p.out, format, args...)
}

// redraw is the shortest time between two changes of the line on a terminal.
const redraw = 50 * time.Millisecond

func (p *progress) event(e check.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Waiting != "" {
		p.say("Waiting %s: %s", max(time.Second, e.Wait.Round(time.Second)), e.Waiting)
		return
	}
	if !p.terminal || time.Since(p.last) < redraw {
		return
	}
	p.clear()
	p.last, p.drawn = time.Now(), true
	const width = 20
	full := min(width, width*e.Requests/max(1, e.Planned))
	fmt.Fprintf(p.out, "[%s%s] %d of about %d requests, %d of %d checks",
		strings.Repeat("#", full), strings.Repeat(".", width-full), e.Requests, e.Planned, e.Checks, e.Of)
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(bare(p.out), "\r\x1b[2K")
		p.drawn = false
	}
}
