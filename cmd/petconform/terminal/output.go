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

// Output is standard output or standard error. What is written may be text of a target: it comes out without escape
// sequences, commands of CI systems, and keys of the environment. Commands write as if nothing could fail; the end of the
// command asks Failed, for all of them.
type Output struct {
	To   io.Writer
	Name string
	Keys *exchange.Redactor

	mu  sync.Mutex
	err error
}

// Write writes p, and nothing more after an error. It does not find a key or a sequence that is split between two calls;
// commands write whole lines.
func (o *Output) Write(p []byte) (int, error) {
	o.put(safe.Writer{W: o.To}, p)
	return len(p), nil
}

func (o *Output) put(w io.Writer, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if clean, _ := o.Keys.Redact(p); o.err == nil {
		_, o.err = w.Write(clean)
	}
}

// Commands writes to an Output what is to act: commands of a CI system, or sequences that move a cursor. Text of a target
// in them is escaped already.
type Commands struct{ *Output }

func (c Commands) Write(p []byte) (int, error) {
	c.put(c.To, p)
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

// file returns the file below an Output, if there is one.
func file(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*Output); ok {
		w = o.To
	}
	f, ok := w.(*os.File)
	return f, ok
}

// is reports whether a writer ends at a terminal.
func is(w io.Writer) bool {
	f, ok := file(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the width of a terminal, from 40 to 80 columns, and 80 for anything else.
func Width(w io.Writer) int {
	if f, ok := file(w); ok {
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
