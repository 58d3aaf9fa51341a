// Package terminal prints for a person: the progress of a run, and tables, as wide as a terminal.
package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/term"

	"petconform/reports"
	"petconform/reports/safe"
	"petconform/spec/exchange"
)

// Output is standard output or standard error. What is written may be text of a target: it comes out without escape
// sequences, commands of CI systems, and keys. Commands write as if nothing could fail; the end of the command asks
// Failed, for all of them.
type Output struct {
	To   io.Writer
	Name string
	Keys *exchange.Redactor

	mu  sync.Mutex
	err error
}

// Write writes p, and nothing more after an error. It does not find a key or a sequence that is split between two calls;
// commands write whole lines.
func (o *Output) Write(p []byte) (int, error) { return o.put(Writer{W: o.To}, p) }

func (o *Output) put(w io.Writer, p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if clean, _ := o.Keys.Redact(p); o.err == nil {
		_, o.err = w.Write(clean)
	}
	return len(p), nil
}

// Coloured writes to an Output text that may have colours. Text of a target in it is escaped already.
type Coloured struct{ *Output }

func (c Coloured) Write(p []byte) (int, error) {
	return c.put(Writer{W: c.To, Colours: c.Style().Colour}, p)
}

// Commands writes to an Output what is to act: commands of a CI system. Text of a target in them is escaped already.
type Commands struct{ *Output }

func (c Commands) Write(p []byte) (int, error) { return c.put(c.To, p) }

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

// size returns the columns of a terminal, and whether o is one.
func (o *Output) size() (columns int, is bool) {
	f, ok := o.To.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return reports.Columns, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	return columns, err == nil
}

// Width returns the width of a terminal, from 40 to 80 columns, and 80 for anything else.
func (o *Output) Width() int {
	columns, _ := o.size()
	return min(max(40, columns), reports.Columns)
}

// Style is that of the output: a terminal whose TERM knows escape sequences has colours, unless NO_COLOR is set. Windows
// has no TERM.
func (o *Output) Style() reports.Style {
	_, is := o.size()
	name := os.Getenv("TERM")
	escapes := name != "dumb" && (name != "" || runtime.GOOS == "windows")
	return reports.Style{Width: o.Width(), Colour: is && escapes && os.Getenv("NO_COLOR") == ""}
}

// Paragraph prints text after a label, wrapped to the width of the terminal. Further lines are indented by the label's
// width.
func (o *Output) Paragraph(label, text string) {
	fmt.Fprint(o, safe.Hang(label, safe.Wrap(safe.Text(text), o.Width()-len(label))))
}

// Sentence prints text on one line; on a terminal, wrapped to its width.
func (o *Output) Sentence(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if _, is := o.size(); is {
		text = strings.Join(safe.Wrap(text, o.Width()), "\n")
	}
	fmt.Fprintln(o, text)
}

// Table prints rows of a name and a text. On a terminal a text is wrapped beside its name, or below it where the names
// leave too little room.
func (o *Output) Table(rows [][2]string) {
	longest := 0
	for _, r := range rows {
		longest = max(longest, len(r[0]))
	}
	_, is := o.size()
	for _, r := range rows {
		label := fmt.Sprintf("%-*s  ", longest, r[0])
		switch {
		case !is:
			fmt.Fprintln(o, label+r[1])
			continue
		case len(label) > o.Width()/2:
			fmt.Fprintln(o, r[0])
			label = "    "
		}
		o.Paragraph(label, r[1])
	}
}
