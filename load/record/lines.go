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
	Format  = Formats + "4"
)

// line is an exchange in the file. Its own fields are those in which exchanges that are alike differ. An Exchange by
// value, with members that are mostly empty, would take the sender a tenth more CPU.
type line struct {
	N         int           `json:"n"`
	Auth      exchange.Auth `json:"auth,omitzero"`
	Sent      time.Time     `json:"sent"`
	FirstByte time.Duration `json:"firstByteNs,omitempty"`
	Done      time.Duration `json:"doneNs"`
	Reused    bool          `json:"reused,omitempty"`
	Place
	// Like is the number of an exchange before it that has the same request, response and failure, apart from the
	// headers in Headers. Without one, the line has an Exchange.
	Like    int              `json:"like,omitempty"`
	Headers exchange.Changes `json:"headers,omitempty"`
	*exchange.Exchange
}

type settings struct {
	Settings
	Lanes []Lane `json:"lanes"`
}

// writer writes a recording. first has the number of the first record with an exchange.
type writer struct {
	*exchange.Lines[*line]
	started time.Time
	first   map[*exchange.Exchange]int
}

func newWriter(w io.Writer, rec *Recording) (*writer, error) {
	meta := rec.Meta
	meta.Kind = "load"
	meta.Settings, _ = json.Marshal(settings{rec.Settings, rec.Lanes}) // they are numbers and names
	lines, err := exchange.NewLines[*line](w, Format, meta)
	return &writer{lines, meta.Started, map[*exchange.Exchange]int{}}, err
}

func (w *writer) record(r *Record) error {
	l := line{N: r.N, Sent: w.started.Add(r.Sent), FirstByte: r.FirstByte, Done: r.Done, Reused: r.Reused, Place: r.Place,
		Like: w.first[r.Like], Headers: r.changes}
	if l.Like == 0 {
		w.first[r.Like], l.Exchange = r.N, r.Like
	}
	if r.Other {
		l.Auth = exchange.OtherKey
	}
	return w.Write(&l)
}

func Write(w io.Writer, rec *Recording) error {
	out, err := newWriter(w, rec)
	if err != nil {
		return err
	}
	for _, n := range rec.Notes {
		err = errors.Join(err, out.Note(n))
	}
	for i := 0; i < len(rec.Records) && err == nil; i++ {
		err = out.record(rec.Records[i])
	}
	if rec.End != nil && err == nil {
		err = out.End(*rec.End)
	}
	return err
}

// Read reads a recording. It omits a last line that is cut off, and sets Torn. It returns an error with the line for
// any other defect.
func Read(r io.Reader) (*Recording, error) {
	rec, first := &Recording{}, map[int]*exchange.Exchange{}
	torn, err := exchange.Scan(r, Format, func(l *exchange.Line[line]) error { return rec.add(l, first) })
	if err == nil {
		err = rec.End.Closes(len(rec.Records))
	}
	if rec.Torn = torn; err != nil {
		return nil, err
	}
	return rec, nil
}

// add adds a line. first has the exchanges that others are like, by their numbers.
func (rec *Recording) add(l *exchange.Line[line], first map[int]*exchange.Exchange) error {
	switch {
	case l.Meta != nil:
		var s settings
		if err := json.Unmarshal(l.Meta.Settings, &s); err != nil {
			return fmt.Errorf("the settings: %w", err)
		}
		rec.Meta, rec.Settings, rec.Lanes = *l.Meta, s.Settings, s.Lanes
		return s.check()
	case l.Exchange != nil:
		return rec.addRecord(l.Exchange, first)
	case l.Note != nil:
		var n Note
		if err := json.Unmarshal(l.Note, &n); err != nil {
			return fmt.Errorf("the note: %w", err)
		}
		rec.Notes = append(rec.Notes, n)
		return nil
	case l.End != nil:
		rec.End = l.End
		return nil
	}
	return errors.New("it has no exchange, note or end")
}

func (rec *Recording) addRecord(l *line, first map[int]*exchange.Exchange) error {
	r := &Record{N: l.N, Place: l.Place, Other: l.Auth == exchange.OtherKey, Reused: l.Reused,
		Sent: l.Sent.Sub(rec.Meta.Started), FirstByte: l.FirstByte, Done: l.Done, Like: l.Exchange, changes: l.Headers}
	if l.Like == 0 {
		first[l.N] = r.Like
	} else if r.Like = first[l.Like]; l.Exchange != nil {
		return fmt.Errorf("exchange %d is like another, and has a request or a response of its own; the file was changed", l.N)
	}
	if r.Like == nil {
		return fmt.Errorf("exchange %d is like exchange %d, which is not before it or is like another", l.N, l.Like)
	}
	x := *r.Like
	x.N, x.Sent, x.FirstByte, x.Done = r.N, l.Sent, r.FirstByte, r.Done
	if err := errors.Join(x.Validate(), r.check(rec), r.changes.Validate()); err != nil {
		return err
	}
	var h http.Header
	if x.Response != nil {
		h = r.changes.Of(x.Response.Header)
	}
	r.read(h, rec.Meta.Started, &date{})
	rec.Records = append(rec.Records, r)
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
		what := fmt.Sprintf("a time of exchange %d since the start of the run, in ns,", r.N)
		err = errors.Join(err, within(what, d, -mostMinute, mostTime))
	}
	return err
}
