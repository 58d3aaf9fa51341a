package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"petconform/spec/exchange"
)

// Format names the format of a load recording, of which Formats are all versions. Read returns an error for any other.
const (
	Formats = "petconform/load-recording/"
	Format  = Formats + "3"
)

// line is an exchange in the file.
type line struct {
	exchange.Exchange
	// Like is the number of an exchange before it that has the same request, response and failure, apart from the
	// headers in Headers.
	Like    int              `json:"like,omitempty"`
	Headers exchange.Changes `json:"headers,omitempty"`
	Place
}

// settings are the settings in the meta line.
type settings struct {
	Settings
	Lanes []Lane `json:"lanes"`
}

type Writer struct {
	*exchange.Lines[line]
	rec *Recording
	// first has the number of the first record with an exchange.
	first map[*exchange.Exchange]int
}

// NewWriter writes the meta line of a recording.
func NewWriter(w io.Writer, rec *Recording) (*Writer, error) {
	data, err := json.Marshal(settings{rec.Settings, rec.Lanes})
	if err != nil {
		return nil, err
	}
	meta := rec.Meta
	meta.Kind, meta.Settings = "load", data
	lines, err := exchange.NewLines[line](w, Format, meta)
	return &Writer{lines, rec, map[*exchange.Exchange]int{}}, err
}

func (w *Writer) Record(r *Record) error {
	l := line{Headers: r.changes, Place: r.Place}
	if l.Like = w.first[r.Like]; l.Like == 0 {
		w.first[r.Like] = r.N
		l.Exchange = *r.Like
	}
	l.N, l.Sent, l.FirstByte, l.Done, l.Reused = r.N, w.rec.Meta.Started.Add(r.Sent), r.FirstByte, r.Done, r.Reused
	if r.Other {
		l.Auth = exchange.OtherKey
	}
	return w.Write(l)
}

func Write(w io.Writer, rec *Recording) error {
	out, err := NewWriter(w, rec)
	if err != nil {
		return err
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

// reader reads a recording. first has the records that others are like.
type reader struct {
	rec   Recording
	first map[int]*exchange.Exchange
}

// Read reads a recording. It omits a last line that is cut off, and sets Torn. It returns an error with the line for
// any other defect.
func Read(r io.Reader) (*Recording, error) {
	in := reader{first: map[int]*exchange.Exchange{}}
	torn, err := exchange.Scan(r, Format, in.add)
	if err != nil {
		return nil, err
	}
	in.rec.Torn = torn
	if err := in.rec.End.Closes(len(in.rec.Records)); err != nil {
		return nil, err
	}
	return &in.rec, nil
}

func (in *reader) add(l *exchange.Line[line]) error {
	switch {
	case l.Meta != nil:
		return in.begin(*l.Meta)
	case l.Exchange != nil:
		return in.addRecord(l.Exchange)
	case l.Note != nil:
		var n Note
		if err := json.Unmarshal(l.Note, &n); err != nil {
			return fmt.Errorf("the note: %w", err)
		}
		in.rec.Notes = append(in.rec.Notes, n)
		return n.check()
	case l.End != nil:
		in.rec.End = l.End
		return nil
	}
	return errors.New("it has no exchange, note or end")
}

func (in *reader) begin(meta exchange.Meta) error {
	var s settings
	if err := json.Unmarshal(meta.Settings, &s); err != nil {
		return fmt.Errorf("the settings: %w", err)
	}
	in.rec.Meta, in.rec.Settings, in.rec.Lanes = meta, s.Settings, s.Lanes
	return s.check()
}

func (in *reader) addRecord(l *line) error {
	r := Record{N: l.N, Place: l.Place, Other: l.Auth == exchange.OtherKey, Reused: l.Reused,
		Sent: l.Sent.Sub(in.rec.Meta.Started), FirstByte: l.FirstByte, Done: l.Done, Like: in.first[l.Like], changes: l.Headers}
	switch {
	case l.Like != 0 && r.Like == nil:
		return fmt.Errorf("exchange %d is like exchange %d, which is not before it or is like another", l.N, l.Like)
	case l.Like != 0 && (l.Request.Method != "" || l.Response != nil || l.Failure != nil):
		return fmt.Errorf("exchange %d is like exchange %d, and has a request or a response of its own; the file was changed", l.N, l.Like)
	case l.Like != 0:
		l.Response, l.Failure = r.Like.Response, r.Like.Failure
	default:
		r.Like = &exchange.Exchange{Request: l.Request, Response: l.Response, Failure: l.Failure}
		in.first[l.N] = r.Like
	}
	if err := errors.Join(l.Validate(), r.check(&in.rec), r.changes.Validate()); err != nil {
		return err
	}
	var h http.Header
	if r.Like.Response != nil {
		h = r.changes.Of(r.Like.Response.Header)
	}
	r.read(h, in.rec.Meta.Started)
	in.rec.Records = append(in.rec.Records, r)
	return nil
}

// A recording is read from a file that anyone may have written. Impossible figures are refused here, since the judge
// divides by them, and since its time and memory grow with them.
const (
	leastMinute = 10 * time.Millisecond
	mostMinute  = 24 * time.Hour
	mostTime    = 366 * 24 * time.Hour
	mostPlan    = 1 << 40
)

// within returns an error for a figure that is not in a range.
func within[T ~int | ~int64](what string, n, least, most T) error {
	if n < least || n > most {
		return fmt.Errorf("%s is %d: it is from %d to %d", what, n, least, most)
	}
	return nil
}

func (s *settings) check() error {
	err := errors.Join(within("minuteNs", s.Minute, leastMinute, mostMinute), within("dayNs", s.Day, 0, 1440*mostMinute))
	for _, l := range s.Lanes {
		err = errors.Join(err, within(fmt.Sprintf("perMinute of the key %q", l.Label), l.PerMinute, 1, mostPlan),
			within(fmt.Sprintf("perDay of the key %q", l.Label), l.PerDay, 0, mostPlan))
	}
	return err
}

// check returns an error for a number that is not the next, or refers to nothing, and for a time that is more than
// mostMinute before the run's start or more than mostTime after it.
func (r *Record) check(rec *Recording) error {
	next := len(rec.Records) + 1
	err := errors.Join(within("the number of an exchange, which have no gap,", r.N, next, next),
		within(fmt.Sprintf("the lane of exchange %d", r.N), r.Lane, 0, len(rec.Lanes)-1),
		within(fmt.Sprintf("firstByteNs of exchange %d", r.N), r.FirstByte, 0, mostTime))
	for _, d := range []time.Duration{r.Planned, r.PutOff, r.Sent, r.Done} {
		err = errors.Join(err, within(fmt.Sprintf("a time of exchange %d since the start of the run, in ns,", r.N), d, -mostMinute, mostTime))
	}
	return err
}

func (n *Note) check() error {
	return errors.Join(within("atNs of a note", n.At, -mostMinute, mostTime), within("byNs of a note", n.By, -mostTime, mostTime))
}
