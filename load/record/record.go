// Package record keeps every request and response of a load run in little memory, so that the run can be judged again.
// Its file is a recording of package exchange, whose exchanges have a lane, a phase and a role.
package record

import (
	"math"
	"net/http"
	"strconv"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

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

	// What the response says: its status, 0 if there is none, and its headers. Date and Reset are in Unix seconds.
	Status                        int
	Limit, Remaining, Reset, Date Number
	// retryAfter is the wait that Retry-After asks for; negative if it is missing or malformed.
	retryAfter time.Duration
}

// Place is the place of a request in a load run.
type Place struct {
	// Lane is the index of the key in Recording.Lanes.
	Lane  int   `json:"lane"`
	Phase Phase `json:"phase"`
	// Round is the number of the round of the phase, from 1.
	Round int  `json:"round"`
	Role  Role `json:"role"`
	// Connection is the number of an independent connection to the target; 0 is the run's own pool.
	Connection int `json:"connection,omitempty"`
	// Planned is when the request was due and a worker was free for it, since the run's start by the monotonic clock.
	// In a closed loop a request is due when a worker is free.
	Planned time.Duration `json:"plannedNs"`
	// PutOff is how long before Planned the request was due, while the target kept all workers busy.
	PutOff time.Duration `json:"putOffNs,omitempty"`
}

// Number is the whole number in a header, or Absent.
type Number int64

// Absent means that the header is missing or not a whole number.
const Absent Number = math.MinInt64

func (n Number) Known() bool { return n != Absent }

// The headers in canonical form, like X-Ratelimit-Limit, which are found faster.
var (
	limit     = http.CanonicalHeaderKey(spec.HeaderLimit)
	remaining = http.CanonicalHeaderKey(spec.HeaderRemaining)
	reset     = http.CanonicalHeaderKey(spec.HeaderReset)
)

// read reads the response, which has the headers h. What judges a load, and what sends it, read headers only here.
func (r *Record) read(h http.Header, started time.Time) {
	number := func(name string) Number {
		if n, ok := exchange.Number(h, name); ok {
			return Number(n)
		}
		return Absent
	}
	r.Limit, r.Remaining, r.Reset = number(limit), number(remaining), number(reset)
	r.Date, r.retryAfter = Absent, -1
	if r.Like.Response != nil {
		r.Status = r.Like.Response.Status
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		r.Date = Number(date.Unix())
	}
	if wait, ok := exchange.RetryAfter(h, started.Add(r.Received())); ok {
		r.retryAfter = wait
	}
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

// Of reports whether the headers describe that limit.
func (r *Record) Of(limit int64) bool {
	return r.Limit.Known() && r.Remaining.Known() && int64(r.Limit) == limit
}

// Wait returns the time from Received that Retry-After asks to wait, at most exchange.LongestWait. It returns false if
// Retry-After is missing or malformed.
func (r *Record) Wait() (time.Duration, bool) { return max(0, r.retryAfter), r.retryAfter >= 0 }

// LongestWait returns the longest Retry-After of a minute's limit: two windows, since a sliding counter counts a burst
// for up to that long, plus 2 s, since Retry-After and the clock it is computed with may each be rounded by a second.
func LongestWait(window time.Duration) time.Duration { return 2*window + 2*time.Second }

// WaitsLong reports whether Retry-After asks to wait longer than a limit of the minute needs.
func (r *Record) WaitsLong(window time.Duration) bool { return r.retryAfter > LongestWait(window) }

// Bans reports whether the response to a repeated request shows a ban: a 401, a 403, or a 429 that no limit of a minute
// explains.
func (r *Record) Bans(window time.Duration) bool {
	return r.Barred() || r.Limited() && r.WaitsLong(window)
}

// ResetIn returns the time from Date to X-RateLimit-Reset, which may be negative. It returns false if one of them is not
// known.
func (r *Record) ResetIn() (time.Duration, bool) {
	const bound = 1 << 62 // so that the difference does not overflow
	in := exchange.Seconds(max(-bound, min(int64(r.Reset), bound)) - int64(r.Date))
	return in, r.Reset.Known() && r.Date.Known()
}

// Result returns vegeta's Result of a record, whose Seq is the number of the record, without the body and the
// headers. From these vegeta's Metrics computes codes, bytes, rates and latencies. The Latency is the time from the
// sending, without that of dialling.
func (r *Recording) Result(of *Record) vegeta.Result {
	x := of.Like
	res := vegeta.Result{Attack: CheckID(r.Lanes[of.Lane].Plan, of.Phase), Seq: uint64(of.N), Code: uint16(of.Status),
		Timestamp: r.Meta.Started.Add(of.Sent), Latency: of.Done, Method: x.Request.Method, URL: r.Meta.Target + x.Request.Path,
		BytesOut: uint64(len(x.Request.Body))}
	if x.Response != nil {
		res.BytesIn = uint64(x.Response.Size)
	}
	switch {
	case x.Failure != nil:
		res.Error = string(x.Failure.Kind) + ": " + x.Failure.Detail
	case of.Status < 200 || of.Status >= 400:
		res.Error = strconv.Itoa(of.Status) + " " + http.StatusText(of.Status)
	}
	return res
}
