package record

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Vegeta writes each record as a line of JSON that vegeta's report, plot and encode commands read. The attack is the
// phase with its plan, so that a plot has one series for each. It is a Sink.
//
// Whole lines are written, but not each on its own: what a killed run loses of this file its recording has. Flush writes
// the rest.
type Vegeta struct {
	w      io.Writer
	lines  bytes.Buffer
	wrote  time.Duration
	encode vegeta.Encoder
	rec    *Recording
	base   string
	// out is used again for each line, with its headers.
	out    vegeta.Result
	header http.Header
}

// NewVegeta begins such a file for a recording that is being made.
func NewVegeta(w io.Writer, rec *Recording) *Vegeta {
	v := &Vegeta{w: w, rec: rec, base: strings.TrimRight(rec.Meta.Target, "/"), header: http.Header{}}
	v.encode = vegeta.NewJSONEncoder(&v.lines)
	return v
}

// most is how many bytes of lines are held back, and longest how long they are.
const (
	most    = 32 << 10
	longest = time.Second
)

// Record writes one line. Bodies stay in the recording.
func (v *Vegeta) Record(r *Record) error {
	shape := &v.rec.Shapes[r.Shape]
	v.out = vegeta.Result{
		Attack: CheckID(v.rec.Lanes[r.Lane].Plan, r.Phase), Seq: uint64(r.N - 1), Code: uint16(r.Status),
		Timestamp: v.rec.Meta.Started.Add(r.Sent), Latency: r.Done, BytesOut: uint64(len(shape.Request.Body)),
		Method: shape.Request.Method, URL: v.base + shape.Request.Path,
	}
	out := &v.out
	if shape.Response != nil {
		out.BytesIn = uint64(shape.Response.Size)
		clear(v.header)
		r.headers(v.header, shape.Response.Header)
		out.Headers = v.header
		if r.Status >= 400 {
			out.Error = statusLine(r.Status)
		}
	}
	if shape.Failure != nil {
		out.Error = string(shape.Failure.Kind) + ": " + shape.Failure.Detail
	}
	if err := v.encode(out); err != nil {
		return err
	}
	if v.lines.Len() < most && r.Ended()-v.wrote < longest {
		return nil
	}
	v.wrote = r.Ended()
	return v.Flush()
}

// Flush writes the lines that were held back.
func (v *Vegeta) Flush() error {
	_, err := v.lines.WriteTo(v.w)
	return err
}

// Shape writes nothing: vegeta has no place for it.
func (*Vegeta) Shape(Shape) error { return nil }

// Note writes nothing.
func (*Vegeta) Note(Note) error { return nil }
