package record

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// varying are the headers that a Record has as numbers, in canonical form: X-Ratelimit-Limit for X-RateLimit-Limit.
var varying = [...]string{
	http.CanonicalHeaderKey(spec.HeaderLimit), http.CanonicalHeaderKey(spec.HeaderRemaining),
	http.CanonicalHeaderKey(spec.HeaderReset), spec.HeaderRetryAfter, "Date",
}

// distinct are the other headers that a rule or a report reads. Responses that differ only in headers that nothing reads, such as a request
// id, share a shape, which has the headers of the first of them.
var distinct = []string{"Content-Type", "Content-Encoding", "Www-Authenticate", "Location", "Transfer-Encoding"}

// Sink receives a recording during the run.
type Sink interface {
	Shape(Shape) error
	Record(*Record) error
	Note(Note) error
}

// Collector builds a recording during the run. Its methods may be called by several goroutines.
type Collector struct {
	mu     sync.Mutex
	rec    *Recording
	sinks  []Sink
	bodies *exchange.Bodies
	// shapes has the index of each shape by its sum; parts is the buffer of sum.
	shapes map[[sha256.Size]byte]int
	parts  []byte
	date   dates
	err    error
}

// NewCollector returns a Collector that adds to rec and passes everything on to the sinks.
func NewCollector(rec *Recording, sinks ...Sink) *Collector {
	return &Collector{rec: rec, sinks: sinks, bodies: exchange.NewBodies(exchange.MaxBodies), shapes: map[[sha256.Size]byte]int{}}
}

// Add sets the number, status, headers and shape of r, which is the record of x, and adds r to the recording. The caller may overwrite the
// body of x's response afterwards. Once a sink has returned an error, Add returns that error.
func (c *Collector) Add(r *Record, x *exchange.Exchange) error {
	r.Limit, r.Remaining, r.Reset, r.RetryAfter, r.Date = Absent, Absent, Absent, Absent, Absent
	c.mu.Lock()
	defer c.mu.Unlock()
	var shared http.Header
	if x.Response != nil {
		r.Status, shared = x.Response.Status, x.Response.Header
		c.take(r, shared)
	}
	r.N = len(c.rec.Records) + 1
	r.Shape = c.intern(x, shared)
	if all := c.rec.Records; len(all) == cap(all) {
		c.rec.Records = slices.Grow(all, len(all)+1) // append alone copies four times as much
	}
	c.rec.Records = append(c.rec.Records, *r)
	c.pass(func(s Sink) error { return s.Record(r) })
	return c.err
}

// Note adds a note.
func (c *Collector) Note(n Note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rec.Notes = append(c.rec.Notes, n)
	c.pass(func(s Sink) error { return s.Note(n) })
}

// Err returns the first error of a sink.
func (c *Collector) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// pass calls do with every sink, and keeps the first error.
func (c *Collector) pass(do func(Sink) error) {
	for _, s := range c.sinks {
		if err := do(s); err != nil && c.err == nil {
			c.err = err
		}
	}
}

// take copies the varying headers of a response into r.
func (c *Collector) take(r *Record, h http.Header) {
	numbers := [...]*Number{&r.Limit, &r.Remaining, &r.Reset, &r.RetryAfter, &r.Date}
	for i, name := range varying {
		values := h[name]
		if len(values) == 0 {
			continue
		}
		if numbers[i] == &r.Date {
			r.Date = c.date.of(values)
		} else {
			*numbers[i] = numberOf(values)
		}
		if !numbers[i].Known() {
			if r.Header == nil {
				r.Header = http.Header{}
			}
			r.Header[name] = values
		}
	}
}

// dates parses Date. It keeps the last one, since all responses within a second have the same.
type dates struct {
	text string
	at   Number
}

func (d *dates) of(values []string) Number {
	if len(values) != 1 {
		return Absent
	}
	if values[0] != d.text {
		d.text, d.at = values[0], Absent
		if t, err := time.Parse(http.TimeFormat, d.text); err == nil && t.Format(http.TimeFormat) == d.text {
			d.at = Number(t.Unix())
		}
	}
	return d.at
}

// intern returns the index of the shape of x, and adds the shape if it is new.
func (c *Collector) intern(x *exchange.Exchange, h http.Header) int {
	sum := c.sum(x, h)
	if i, known := c.shapes[sum]; known {
		return i
	}
	s := Shape{ID: len(c.rec.Shapes), Request: x.Request, Failure: x.Failure}
	if x.Response != nil {
		answer := *x.Response
		s.Failure = c.keep(&answer, x.Failure)
		answer.Header = make(http.Header, len(h))
		for name, values := range h {
			if !slices.Contains(varying[:], name) {
				answer.Header[name] = values
			}
		}
		s.Response = &answer
	}
	c.rec.Shapes = append(c.rec.Shapes, s)
	c.shapes[sum] = s.ID
	c.pass(func(sink Sink) error { return sink.Shape(s) })
	return s.ID
}

// keep truncates the body of a new shape if the bodies of the run would exceed exchange.MaxBodies, since a target can make each response a
// new shape. It returns the reason why the body is not complete: why, or its own.
func (c *Collector) keep(r *exchange.Response, why *exchange.Failure) *exchange.Failure {
	var err error
	if r.Truncated {
		err = exchange.ErrTooLarge
	}
	kept, err := c.bodies.Keep(exchange.Kept{Body: r.Body, Size: r.Size, Digest: r.Digest}, err)
	r.Body, r.Digest, r.Truncated = slices.Clone(kept.Body), kept.Digest, err != nil
	if err != nil && why == nil {
		return &exchange.Failure{Kind: exchange.TooLarge, Detail: err.Error()}
	}
	return why
}

// sum returns the digest of everything that distinguishes shapes, each part after its length.
func (c *Collector) sum(x *exchange.Exchange, h http.Header) [sha256.Size]byte {
	all := part(c.parts[:0], x.Request.Method)
	all = part(part(all, x.Request.Path), x.Request.Body)
	if f := x.Failure; f != nil {
		all = strconv.AppendBool(part(part(all, f.Kind), f.Detail), f.Redacted)
	}
	if r := x.Response; r != nil {
		all = strconv.AppendInt(all, int64(r.Status), 10)
		all = strconv.AppendBool(strconv.AppendBool(all, r.Truncated), r.Redacted)
		all = part(part(all, r.Proto), r.Body)
		for _, name := range distinct {
			all = binary.AppendUvarint(all, uint64(len(h[name])))
			for _, value := range h[name] {
				all = part(all, value)
			}
		}
	}
	c.parts = all
	return sha256.Sum256(all)
}

// part appends the length of text and text.
func part[T ~string | ~[]byte](all []byte, text T) []byte {
	return append(binary.AppendUvarint(all, uint64(len(text))), text...)
}

// Shape returns the shape with index id.
func (c *Collector) Shape(id int) Shape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rec.Shapes[id]
}

// Exchange returns the exchange with number n, which must exist.
func (c *Collector) Exchange(n int) exchange.Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	x, _ := c.rec.Exchange(n)
	return x
}
