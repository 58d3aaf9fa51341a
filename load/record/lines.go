package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"petconform/spec/exchange"
)

// Format names the format of a load recording. Read returns an error for any other.
const Format = "petconform/load-recording/1"

type line struct {
	Meta   *exchange.Meta `json:"meta,omitempty"`
	Lane   *Lane          `json:"lane,omitempty"`
	Shape  *Shape         `json:"shape,omitempty"`
	Record *Record        `json:"record,omitempty"`
	Note   *Note          `json:"note,omitempty"`
	End    *exchange.End  `json:"end,omitempty"`
}

// Writer writes a recording as JSON lines. It is a Sink. Each line is complete when its method returns, so the recording of a killed run
// can be judged.
type Writer struct {
	lines   *json.Encoder
	records int
}

// NewWriter writes the meta line and the lanes of a recording.
func NewWriter(w io.Writer, rec *Recording) (*Writer, error) {
	settings, err := json.Marshal(rec.Settings)
	if err != nil {
		return nil, err
	}
	meta := rec.Meta
	meta.Format, meta.Kind, meta.Settings = Format, "load", settings
	out := &Writer{lines: json.NewEncoder(w)} // which writes each line with one Write
	if err := out.put(line{Meta: &meta}); err != nil {
		return nil, err
	}
	for i := range rec.Lanes {
		if err := out.put(line{Lane: &rec.Lanes[i]}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Shape writes a shape.
func (w *Writer) Shape(s Shape) error { return w.put(line{Shape: &s}) }

// Record writes a record.
func (w *Writer) Record(r *Record) error {
	w.records++
	return w.put(line{Record: r})
}

// Note writes a note.
func (w *Writer) Note(n Note) error { return w.put(line{Note: &n}) }

// End writes the last line.
func (w *Writer) End(e exchange.End) error {
	e.Exchanges = w.records
	return w.put(line{End: &e})
}

func (w *Writer) put(l line) error {
	if err := w.lines.Encode(l); err != nil {
		return fmt.Errorf("load recording: %w", err)
	}
	return nil
}

// Write writes a whole recording.
func Write(w io.Writer, rec *Recording) error {
	out, err := NewWriter(w, rec)
	if err != nil {
		return err
	}
	for _, s := range rec.Shapes {
		err = errors.Join(err, out.Shape(s))
	}
	for _, n := range rec.Notes {
		err = errors.Join(err, out.Note(n))
	}
	for _, r := range rec.Records {
		if err != nil {
			return err
		}
		err = out.Record(&r)
	}
	if rec.End != nil && err == nil {
		err = out.End(*rec.End)
	}
	return err
}

// maxLine is the longest line that Read accepts: 16 MiB, since the file may be any file.
const maxLine = 16 << 20

// Read reads a recording. It omits a last line that is cut off, and sets Torn. It returns an error with the line for any other defect.
func Read(r io.Reader) (*Recording, error) {
	rec := &Recording{}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 1; in.Scan(); n++ {
		if rec.Torn {
			return nil, fmt.Errorf("line %d is not JSON and not the last line; the file is not a recording or is damaged", n-1)
		}
		if err := rec.add(n, in.Bytes()); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d MiB; the file is not a recording", maxLine>>20)
	} else if err != nil {
		return nil, err
	}
	if rec.Meta.Format == "" {
		return nil, errors.New(`not a load recording: the first line is not {"meta": …}`)
	}
	if err := rec.End.Closes(len(rec.Records)); err != nil {
		return nil, err
	}
	return rec, nil
}

func (r *Recording) add(n int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		if n == 1 {
			return fmt.Errorf(`the meta line can't be read; use a recording of format %q: %w`, Format, err)
		}
		r.Torn = true
		return nil
	}
	if (l.Meta != nil) != (n == 1) {
		return errors.New(`{"meta": …} must be the first line, and no other`)
	}
	switch {
	case l.Meta != nil && l.Meta.Format != Format:
		return fmt.Errorf("the format is %[2]q, not %[1]q; judge it with the petconform that recorded it", Format, l.Meta.Format)
	case l.Meta != nil:
		r.Meta = *l.Meta
		if err := json.Unmarshal(l.Meta.Settings, &r.Settings); err != nil {
			return fmt.Errorf("the settings: %w", err)
		}
		return r.Settings.check()
	case l.Lane != nil:
		return errors.Join(l.Lane.check(), inOrder(&r.Lanes, *l.Lane, l.Lane.ID, "lane"))
	case l.Shape != nil:
		return errors.Join(l.Shape.check(), inOrder(&r.Shapes, *l.Shape, l.Shape.ID, "shape"))
	case l.Note != nil:
		r.Notes = append(r.Notes, *l.Note)
		return l.Note.check()
	case l.End != nil:
		r.End = l.End
	case l.Record != nil:
		return r.addRecord(l.Record)
	default:
		return errors.New("the line has no lane, shape, record, note or end")
	}
	return nil
}

func (r *Recording) addRecord(rec *Record) error {
	switch {
	case rec.N != len(r.Records)+1:
		return fmt.Errorf("record %d has the number %d: records are numbered from 1 without a gap", len(r.Records)+1, rec.N)
	case rec.Lane < 0 || rec.Lane >= len(r.Lanes):
		return fmt.Errorf("record %d belongs to lane %d, and there are %d lanes", rec.N, rec.Lane, len(r.Lanes))
	case rec.Shape < 0 || rec.Shape >= len(r.Shapes):
		return fmt.Errorf("record %d has the shape %d, and only %d shapes are before it", rec.N, rec.Shape, len(r.Shapes))
	case rec.Repeats < 0 || rec.Repeats >= rec.N:
		return fmt.Errorf("record %d repeats record %d, which is not before it", rec.N, rec.Repeats)
	}
	status := 0
	if answer := r.Shapes[rec.Shape].Response; answer != nil {
		status = answer.Status
	}
	if rec.Status != status {
		return fmt.Errorf("record %d has the status %d, and its shape %d", rec.N, rec.Status, status)
	}
	if err := rec.check(); err != nil {
		return err
	}
	r.Records = append(r.Records, *rec)
	return nil
}

func inOrder[T any](all *[]T, one T, id int, what string) error {
	if id != len(*all) {
		return fmt.Errorf("%s %d must be here, not %d: the numbers have no gap", what, len(*all), id)
	}
	*all = append(*all, one)
	return nil
}

// UnmarshalJSON sets the numbers of missing headers to Absent.
func (r *Record) UnmarshalJSON(data []byte) error {
	type plain Record
	p := plain{Limit: Absent, Remaining: Absent, Reset: Absent, RetryAfter: Absent, Date: Absent}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = Record(p)
	return nil
}
