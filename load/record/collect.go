package record

import (
	"bufio"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"petconform/load/limiter"
	"petconform/spec"
	"petconform/spec/exchange"
)

// MaxSize is the largest file of a recording, in bytes: 256 MiB. A load records about 240 bytes for a request, so a day
// of the Business plan (100,000 requests) takes 24 MB, and a million requests fit.
const MaxSize = 256 << 20

// reserve is how much of MaxSize is left for the requests in flight, the notes and the end: 8 MiB.
const reserve = 8 << 20

var errTooLong = fmt.Errorf("it would be larger than %d MiB; load fewer keys or phases at a time (--shard, --phase)",
	MaxSize>>20)

// Collector builds a recording during the run. Its methods may be called by several goroutines.
type Collector struct {
	Recording *Recording

	mu sync.Mutex
	// out may get most bytes until no more is sent. Its file has what came up to written before the newest response.
	out     *writer
	file    *bufio.Writer
	written time.Duration
	most    int64
	bodies *exchange.Bodies
	// first has the first of the exchanges that are alike, by a digest.
	first map[uint64]*exchange.Exchange
	seed  maphash.Seed
	date  date
	err   error
}

// delay is how much later than a response its record may be written: 100 ms. Most of the time that a write takes does not
// depend on its length.
const delay = 100 * time.Millisecond

// NewCollector returns a Collector that adds to rec, and writes everything to w unless that is nil. A run that is killed
// lacks the records of the last delay at most.
func NewCollector(rec *Recording, w io.Writer) *Collector {
	c := &Collector{Recording: rec, bodies: exchange.NewBodies(exchange.MaxBodies), first: map[uint64]*exchange.Exchange{},
		seed: maphash.MakeSeed(), most: MaxSize - reserve}
	c.file = bufio.NewWriterSize(cmp.Or(w, io.Discard), 64<<10)
	c.out, c.err = newWriter(c.file, rec)
	c.flush()
	return c
}

// Add sets what r has of x, and adds r to the recording. Afterwards the caller may overwrite the body of x's response, and
// must not change r. The times of x have monotonic clock readings, as Meta.Started has. Once the recording could not be
// written, or would exceed MaxSize, Add returns that error.
func (c *Collector) Add(r *Record, x *exchange.Exchange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.N, r.Like, r.Reused = len(c.Recording.Records)+1, c.like(x), x.ReusedClosed()
	r.Sent, r.FirstByte, r.Done = x.Sent.Sub(c.Recording.Meta.Started), x.Done, x.Done
	if x.Failure == nil {
		r.FirstByte = x.FirstByte
	}
	var h http.Header
	if x.Response != nil {
		h = x.Response.Header
		r.changes = exchange.ChangesOf(r.Like.Response.Header, h)
	}
	r.read(h, c.Recording.Meta.Started, &c.date)
	c.Recording.Records = append(c.Recording.Records, r)
	if c.err = cmp.Or(c.err, c.out.record(r)); c.out.Size() > c.most {
		c.err = cmp.Or(c.err, errTooLong)
	}
	if now := r.Received(); now >= c.written+delay {
		c.written = now
		c.flush()
	}
	return c.err
}

// flush writes what was not written yet.
func (c *Collector) flush() { c.err = cmp.Or(c.err, c.file.Flush()) }

// Flush writes all records, at the end of a series of requests. It returns the first error of writing.
func (c *Collector) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
	return c.err
}

// The headers in canonical form, like X-Ratelimit-Limit, which are found faster.
var (
	limit     = http.CanonicalHeaderKey(spec.HeaderLimit)
	remaining = http.CanonicalHeaderKey(spec.HeaderRemaining)
	reset     = http.CanonicalHeaderKey(spec.HeaderReset)
)

// read reads the response, which has the headers h. What judges a load, and what sends it, read headers only here.
func (r *Record) read(h http.Header, started time.Time, date *date) {
	number := func(name string) int64 {
		if n, ok := exchange.Number(h, name); ok && r.Status != http.StatusUnauthorized {
			return n
		}
		return limiter.Absent
	}
	if r.Like.Response != nil {
		r.Status = r.Like.Response.Status
	}
	r.Headers = limiter.Headers{Limit: number(limit), Remaining: number(remaining), ResetIn: limiter.Absent,
		RetryAfter: limiter.Absent}
	r.Date = date.of(h.Get("Date"))
	const bound = 1 << 62 // so that the difference does not overflow
	if at := number(reset); at != limiter.Absent && r.Date != limiter.Absent {
		r.ResetIn = exchange.Seconds(max(-bound, min(at, bound)) - r.Date)
	}
	if wait, ok := exchange.RetryAfter(h, started.Add(r.Received())); ok {
		r.RetryAfter = wait
	}
}

// date is a Date and the seconds that it stands for, or limiter.Absent. Most responses have that of the one before.
type date struct {
	field   string
	seconds int64
}

func (d *date) of(field string) int64 {
	if field != d.field || field == "" {
		*d = date{field, limiter.Absent}
		if at, err := http.ParseTime(field); err == nil {
			d.seconds = at.Unix()
		}
	}
	return d.seconds
}

// Note adds a note.
func (c *Collector) Note(n Note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Recording.Notes = append(c.Recording.Notes, n)
	c.err = cmp.Or(c.err, c.out.Note(n))
	c.flush()
}

// End completes the recording.
func (c *Collector) End(e exchange.End) error {
	c.Recording.End = &e
	c.err = cmp.Or(c.err, c.out.End(e))
	if c.flush(); c.err != nil {
		c.Recording.End.Stopped = cmp.Or(e.Stopped, "the recording could not be written: "+c.err.Error())
	}
	return c.err
}

// alike is what exchanges that are alike have in common.
type alike struct {
	method, path, sent  string
	failure             exchange.Failure
	status              int
	proto, body         string
	truncated, redacted bool
}

// like returns the first exchange that is like x, which may be a copy of x.
func (c *Collector) like(x *exchange.Exchange) *exchange.Exchange {
	r, failure := cmp.Or(x.Response, &exchange.Response{}), cmp.Or(x.Failure, &exchange.Failure{})
	sum := maphash.Comparable(c.seed, alike{x.Request.Method, x.Request.Path, string(x.Request.Body), *failure,
		r.Status, r.Proto, string(r.Body), r.Truncated, r.Redacted})
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
