package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/term"

	"petconform/reports"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec/exchange"
)

// Output is standard output, or another stream. Commands write as if nothing could fail; the end of the command asks
// Failed, for all of them.
type Output struct {
	To   io.Writer
	Name string

	mu  sync.Mutex
	err error
}

// Write writes p, and nothing more after an error.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = o.To.Write(p)
	}
	return len(p), nil
}

// Failed returns an error if something was not written. A pipe that its reader closed, as in petconform list | head, is
// none: who reads has what is wanted.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("%s could not be written (%w), so what was printed is not complete", o.Name, o.err)
}

// Safe writes untrusted text to a terminal: without escape sequences, commands of CI systems, and keys of the
// environment.
type Safe struct {
	To   io.Writer
	Keys *exchange.Redactor
	// commands lets petconform's own commands pass.
	commands bool
}

// Commands returns a writer for commands of a CI system, in which text of a target is escaped already.
func Commands(w io.Writer) io.Writer {
	if s, ok := w.(Safe); ok {
		s.commands = true
		return s
	}
	return w
}

// Write writes p. It does not find a key or a sequence that is split between two calls; commands write whole lines.
func (s Safe) Write(p []byte) (int, error) {
	clean, _ := s.Keys.Redact(p)
	if s.commands {
		_, err := s.To.Write(clean)
		return len(p), err
	}
	if _, err := (safe.Writer{W: s.To}).Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}

// bare returns the writer below a Safe, which would escape the sequences that redraw lines.
func bare(w io.Writer) io.Writer {
	switch s := w.(type) {
	case Safe:
		return bare(s.To)
	case *Output:
		return bare(s.To)
	}
	return w
}

// is reports whether a writer ends at a terminal.
func is(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the width of a terminal, from 40 to 80 columns, and 80 for anything else.
func Width(w io.Writer) int {
	if f, ok := bare(w).(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return min(max(40, columns), reports.Columns)
		}
	}
	return reports.Columns
}

// Style is that of a writer: a terminal has colours, unless NO_COLOR is set.
func Style(w io.Writer) reports.Style {
	return reports.Style{Width: Width(w), Colour: is(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Paragraph prints text after a label, wrapped to the width of the terminal. Further lines are indented by the label's
// width.
func Paragraph(w io.Writer, label, text string) {
	fmt.Fprint(w, safe.Hang(label, safe.Wrap(safe.Text(text), Width(w)-len(label))))
}

// Command prints the pieces of a command after a label, broken with backslashes to the width of the terminal.
func Command(w io.Writer, label string, pieces ...string) {
	fmt.Fprint(w, safe.Hang(label, rerun.Lines(pieces, Width(w)-len(label))))
}

// Sentence prints text on one line; on a terminal, wrapped to its width.
func Sentence(w io.Writer, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if is(w) {
		text = strings.Join(safe.Wrap(text, Width(w)), "\n")
	}
	fmt.Fprintln(w, text)
}
