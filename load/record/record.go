// Package record keeps every request and response of a load run in little memory, so that the run can be judged again.
// Its file is a recording of package exchange, whose exchanges have a lane, a phase and a role.
package record

import (
	"bufio"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"sync"
	"time"

	"petconform/load/limiter"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Record is one request of a load run and its response.
type Record struct {
	// N numbers the requests of a run from 1, in the order in which they ended.
	N int
	Place

	// Other says that the request has the run's other key, not the key of its lane.
	Other bool
	// Reused says that the request got no response because the target closed its connection, and that the connection
	// had been used before.
	Reused bool

	// Sent is when the request was sent, since the run's start.
	Sent time.Duration
	// FirstByte and Done are the times from Sent to the first byte and to the end of the response.
	FirstByte time.Duration
	Done      time.Duration

	// Like has the request, the response and the failure. Records that differ only in headers share it.
	Like    *exchange.Exchange
	changes exchange.Changes

	// Status is 0 if there is no response. The headers of the limit are Absent without a valid key, since they are of
	// another allowance. RetryAfter is at most exchange.LongestWait.
	Status int
	limiter.Headers
	// Date is in Unix seconds, or Absent.
	Date int64
}

// Place is the place of a request in a load run.
type Place struct {
	// Lane is the index of the key in Recording.Lanes.
	Lane  int   `json:"lane"`
	Phase Phase `json:"phase"`
	// Round is the number of the round of the phase, from 1.
	Round int  `json:"round"`
	Role  Role `json:"role"`
	// Planned is when the request was due and a worker was free for it, since the run's start by the monotonic clock.
	// In a closed loop a request is due when a worker is free.
	Planned time.Duration `json:"plannedNs"`
	// PutOff is how long before Planned the request was due, while the target kept all workers busy.
	PutOff time.Duration `json:"putOffNs,omitempty"`
}

// Received returns the time of the response's first byte, since the run's start. Without a response it is the time at
// which the sender gave up.
func (r *Record) Received() time.Duration { return r.Sent + r.FirstByte }

// Ended returns the time of the response's end, since the run's start.
func (r *Record) Ended() time.Duration { return r.Sent + r.Done }

// Lag returns how much later than planned the request was sent, because of this machine.
func (r *Record) Lag() time.Duration { return r.Sent - r.Planned }

// FromDue returns the time from when the request was due to the end of the response. Done is that from its sending.
func (r *Record) FromDue() time.Duration { return r.PutOff + r.Lag() + r.Done }

func (r *Record) Limited() bool { return r.Status == http.StatusTooManyRequests }

// Barred reports whether the response refuses the key itself, as a ban may.
func (r *Record) Barred() bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden
}

// Served reports whether the response shows that there is a service to judge: it is a success or a 429.
func (r *Record) Served() bool { return r.Status/100 == 2 || r.Limited() }

// Accepted reports whether the response shows that the limiter passed the request to the operation: it is a success, a
// redirect or a 404.
func (r *Record) Accepted() bool {
	return r.Status >= 200 && r.Status < 400 || r.Status == http.StatusNotFound
}

// Unsure reports whether it is not known if the limiter counted the request: there is no response, or it is neither
// Accepted nor Limited.
func (r *Record) Unsure() bool { return !r.Accepted() && !r.Limited() }

// WaitsLong reports whether Retry-After asks to wait longer than a limit of the minute needs: two windows, since a sliding
// counter counts a burst for up to that long, plus 2 s, since Retry-After and the clock it is computed with may each be
// rounded by a second.
func (r *Record) WaitsLong(window time.Duration) bool { return r.RetryAfter > 2*(window+time.Second) }

// Bans reports whether the response to a repeated request shows a ban: a 401, a 403, or a 429 that no limit of a minute
// explains.
func (r *Record) Bans(window time.Duration) bool {
	return r.Barred() || r.Limited() && r.WaitsLong(window)
}

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
	// out may get most bytes until no more is sent. It writes to file, and waiting says that a Flush is to come.
	out     *writer
	file    *bufio.Writer
	waiting bool
	most    int64
	bodies  *exchange.Bodies
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
	if !c.waiting {
		c.waiting = true
		time.AfterFunc(delay, func() { _ = c.Flush() })
	}
	return c.err
}

// flush writes what was not written yet.
func (c *Collector) flush() { c.waiting, c.err = false, cmp.Or(c.err, c.file.Flush()) }

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
