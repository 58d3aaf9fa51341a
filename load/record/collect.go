package record

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// jump is how much the wall clock may move against the monotonic one: 0.5 s. NTP slews a clock by less than 1 ms in a
// second. After a sleep of the machine the difference is as long as the sleep.
const jump = 500 * time.Millisecond

// Collector builds a recording during the run. Its methods may be called by several goroutines.
type Collector struct {
	// Wall returns the time of the wall clock; nil means that of each response.
	Wall func() time.Time

	mu     sync.Mutex
	rec    *Recording
	out    *writer
	bodies *exchange.Bodies
	// first has the first of the exchanges that are alike, by its sum; parts is the buffer of sum.
	first map[uint64]*exchange.Exchange
	seed  maphash.Seed
	parts []byte
	// apart is the wall clock minus the monotonic one after the last jump.
	apart time.Duration
	err   error
}

// NewCollector returns a Collector that adds to rec, and writes everything to w unless that is nil.
func NewCollector(rec *Recording, w io.Writer) *Collector {
	c := &Collector{rec: rec, bodies: exchange.NewBodies(exchange.MaxBodies), first: map[uint64]*exchange.Exchange{},
		seed: maphash.MakeSeed()}
	if w != nil {
		c.out, c.err = newWriter(w, rec)
	}
	return c
}

// Add sets what r has of x, and adds r to the recording. The caller may overwrite the body of x's response afterwards. A
// jump of the wall clock since the last one is a note. The times of x have monotonic clock readings, as Meta.Started has.
// Once the recording could not be written, Add returns that error.
func (c *Collector) Add(r *Record, x *exchange.Exchange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch(x.Ended())
	r.N, r.Like, r.Reused = len(c.rec.Records)+1, c.like(x), x.ReusedClosed()
	r.Sent, r.FirstByte, r.Done = x.Sent.Sub(c.rec.Meta.Started), x.Done, x.Done
	if x.Failure == nil {
		r.FirstByte = x.FirstByte
	}
	var h http.Header
	if x.Response != nil {
		h = x.Response.Header
		r.changes = exchange.ChangesOf(r.Like.Response.Header, h)
	}
	r.read(h, c.rec.Meta.Started)
	if all := c.rec.Records; len(all) == cap(all) {
		c.rec.Records = slices.Grow(all, len(all)+1) // append alone copies four times as much
	}
	c.rec.Records = append(c.rec.Records, *r)
	if c.out != nil {
		c.err = cmp.Or(c.err, c.out.record(r))
	}
	return c.err
}

// watch compares the two clocks at the time of a response.
func (c *Collector) watch(at time.Time) {
	steady, wall := at.Sub(c.rec.Meta.Started), at
	if c.Wall != nil {
		wall = c.Wall()
	}
	apart := wall.Round(0).Sub(c.rec.Meta.Started.Round(0)) - steady
	if by := apart - c.apart; by.Abs() > jump {
		c.apart = apart
		c.note(Note{Kind: Jumped, Lane: -1, At: steady, By: by, Why: "the wall clock moved against the monotonic one"})
	}
}

func (c *Collector) Note(n Note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(n)
}

func (c *Collector) note(n Note) {
	c.rec.Notes = append(c.rec.Notes, n)
	if c.out != nil {
		c.err = cmp.Or(c.err, c.out.Note(n))
	}
}

// End completes the recording.
func (c *Collector) End(e exchange.End) error {
	c.rec.End = &e
	if c.out != nil {
		if c.err = cmp.Or(c.err, c.out.End(e)); c.err != nil {
			c.rec.End.Stopped = cmp.Or(e.Stopped, "the recording could not be written: "+c.err.Error())
		}
	}
	return c.err
}

// Err returns the first error of writing.
func (c *Collector) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// like returns the first exchange that is like x, which may be a copy of x.
func (c *Collector) like(x *exchange.Exchange) *exchange.Exchange {
	sum := c.sum(x)
	if first, ok := c.first[sum]; ok {
		return first
	}
	first := &exchange.Exchange{Request: x.Request, Failure: x.Failure}
	if x.Response != nil {
		answer := *x.Response
		first.Failure = c.keep(&answer, x.Failure)
		first.Response = &answer
	}
	c.first[sum] = first
	return first
}

// keep truncates the body of a new kind of response if the bodies of the run would exceed exchange.MaxBodies, since a
// target can make each response a new kind. It returns the reason why the body is not complete: why, or its own.
func (c *Collector) keep(r *exchange.Response, why *exchange.Failure) *exchange.Failure {
	var err error
	if r.Truncated {
		err = exchange.ErrTooLarge
	}
	kept, err := c.bodies.Keep(r.Body, err)
	r.Body, r.Truncated = slices.Clone(kept), err != nil
	if err != nil && why == nil {
		return &exchange.Failure{Kind: exchange.TooLarge, Detail: err.Error()}
	}
	return why
}

// sum returns the digest of everything that exchanges that are alike have in common, each part after its length.
func (c *Collector) sum(x *exchange.Exchange) uint64 {
	all := part(c.parts[:0], x.Request.Method)
	all = part(part(all, x.Request.Path), x.Request.Body)
	if f := x.Failure; f != nil {
		all = strconv.AppendBool(part(part(all, f.Kind), f.Detail), f.Redacted)
	}
	if r := x.Response; r != nil {
		all = strconv.AppendInt(all, int64(r.Status), 10)
		all = strconv.AppendBool(strconv.AppendBool(all, r.Truncated), r.Redacted)
		all = part(part(all, r.Proto), r.Body)
	}
	c.parts = all
	return maphash.Bytes(c.seed, all)
}

// part appends the length of text and text.
func part[T ~string | ~[]byte](all []byte, text T) []byte {
	return append(binary.AppendUvarint(all, uint64(len(text))), text...)
}
