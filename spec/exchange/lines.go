package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"petconform/spec/bounded"
)

// Line is one line of a recording. X is Exchange, or an Exchange with what a load adds to it. Only a load has notes.
type Line[X any] struct {
	Meta     *Meta           `json:"meta,omitempty"`
	Exchange *X              `json:"exchange,omitempty"`
	Note     json.RawMessage `json:"note,omitempty"`
	End      *End            `json:"end,omitempty"`
}

// Lines writes a recording as JSON lines, each by one Write, so the recording of a killed run can be judged. Its methods may
// be called from several goroutines, and return the error of the underlying writer.
type Lines[X any] struct {
	mu        sync.Mutex
	w         io.Writer
	line      bytes.Buffer
	enc       *json.Encoder
	exchanges int
	size      int64
}

// Writer writes a recording of checks, or of a client.
type Writer = Lines[Exchange]

// NewWriter writes the first line of a recording, with meta, to w.
func NewWriter(w io.Writer, meta Meta) (*Writer, error) { return NewLines[Exchange](w, Format, meta) }

// NewLines writes the first line of a recording of a format, with meta, to w.
func NewLines[X any](w io.Writer, format string, meta Meta) (*Lines[X], error) {
	meta.Format = format
	out := &Lines[X]{w: w}
	out.enc = json.NewEncoder(&out.line)
	out.enc.SetEscapeHTML(false) // "<" would take six bytes
	return out, out.put(Line[X]{Meta: &meta})
}

func (w *Lines[X]) Write(x X) error { return w.put(Line[X]{Exchange: &x}) }

func (w *Lines[X]) Note(note any) error {
	data, err := json.Marshal(note)
	return errors.Join(err, w.put(Line[X]{Note: data}))
}

// End writes the last line of the recording.
func (w *Lines[X]) End(e End) error { return w.put(Line[X]{End: &e}) }

func (w *Lines[X]) put(l Line[X]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.Exchange != nil {
		w.exchanges++
	}
	if l.End != nil {
		l.End.Exchanges = w.exchanges
	}
	w.line.Reset()
	if err := w.enc.Encode(l); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	n, err := w.w.Write(w.line.Bytes())
	w.size += int64(n)
	return err
}

// Size returns how many bytes were written.
func (w *Lines[X]) Size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size
}

// maxLine is the longest line that is read. It protects against files that petconform did not write.
const maxLine = 64 << 20

// Scan reads a recording of a format and calls add with each line, of which the first has the meta. It leaves out a
// last line that is incomplete (torn). Any other defect, and an error of add, is an error that names the line.
func Scan[X any](r io.Reader, format string, add func(*Line[X]) error) (torn bool, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	begun, ended := false, false
	for n := 1; in.Scan(); n++ {
		if torn {
			return false, fmt.Errorf("line %d is not JSON and is not the last line; the file is damaged or is not a recording", n-1)
		}
		if len(in.Bytes()) == 0 {
			continue
		}
		var l Line[X]
		if err := json.Unmarshal(bytes.TrimPrefix(in.Bytes(), []byte(bounded.ByteOrderMark)), &l); err != nil {
			if n == 1 {
				return false, fmt.Errorf("line 1 is not JSON, so the file is not a recording; "+
					"a recording begins with {\"meta\": …} of format %q: %w", format, err)
			}
			torn = true
			continue
		}
		if ended {
			return false, fmt.Errorf("line %d follows the end of the recording; the file was changed", n)
		}
		if err := l.check(n == 1, format); err != nil {
			return false, fmt.Errorf("line %d: %w", n, err)
		}
		ended = l.End != nil
		if err := add(&l); err != nil {
			return false, fmt.Errorf("line %d: %w", n, err)
		}
		begun = true
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return false, fmt.Errorf("a line is longer than %d MiB, so the file is not a recording", maxLine>>20)
	} else if err != nil {
		return false, err
	}
	if !begun {
		return false, errors.New("the file is empty; a recording begins with a line {\"meta\": …}")
	}
	return torn, nil
}

func (l *Line[X]) check(first bool, format string) error {
	members := 0
	for _, has := range []bool{l.Meta != nil, l.Exchange != nil, l.Note != nil, l.End != nil} {
		if has {
			members++
		}
	}
	switch {
	case members > 1:
		return errors.New("it has more than one of meta, exchange, note and end; the file was changed")
	case (l.Meta != nil) != first:
		return errors.New("{\"meta\": …} must be the first line and no other")
	case first && l.Meta.Format != format:
		return fmt.Errorf("the format is %[2]q, not %[1]q; judge the recording with the version of petconform that made it", format, l.Meta.Format)
	case l.End != nil && l.End.Waited < 0:
		return fmt.Errorf("the run waited for %s, a negative time; the file was changed", l.End.Waited)
	}
	return nil
}
