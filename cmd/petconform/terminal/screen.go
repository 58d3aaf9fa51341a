package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

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

// draw writes the lines over those that it wrote before. A line that is too long loses the space between its columns, and then
// its end. One column stays free: a terminal wraps a line that fills the last one.
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
