// Package record keeps every request and response of a load run in little memory, so that the run can be judged again.
// Its file is a recording of package exchange, whose exchanges have a lane, a phase and a role.
package record

import (
	"net/http"
	"time"

	"petconform/load/limiter"
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
