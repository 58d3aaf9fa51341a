// Package record keeps every request and response of a load run in little memory, so that the run can be judged again. The headers that
// vary are kept as numbers. The rest of a response is a Shape, which many responses share.
package record

import (
	"net/http"
	"time"

	"petconform/spec/exchange"
)

// Record is one request of a load run and its response.
type Record struct {
	// N numbers the requests of a run from 1, in the order in which they ended.
	N int `json:"n"`
	// Lane is the index of the key in Recording.Lanes.
	Lane  int   `json:"lane"`
	Phase Phase `json:"phase"`
	// Round is the number of the round of the phase, from 1.
	Round int  `json:"round"`
	Role  Role `json:"role"`
	// Other says that the request has the run's other key, not the key of its lane.
	Other bool `json:"other,omitempty"`
	// Connection is the number of an independent connection to the target; 0 is the run's own pool.
	Connection int `json:"connection,omitempty"`
	// Repeats is the number of the request that this one repeats, because its connection ended without a response; else 0.
	Repeats int `json:"repeats,omitempty"`

	// Reused says that the request got no response because the target closed its connection, and that the connection had been used before.
	Reused bool `json:"reused,omitempty"`

	// Planned is when the request was due, and Sent when it was sent. Both are times since the run's start, by the monotonic clock. In a
	// closed loop Planned is the time at which a worker was free.
	Planned time.Duration `json:"plannedNs"`
	Sent    time.Duration `json:"sentNs"`
	// FirstByte and Done are the times from Sent to the first byte and to the end of the response.
	FirstByte time.Duration `json:"firstByteNs"`
	Done      time.Duration `json:"doneNs"`

	Status int `json:"status,omitempty"`
	// Shape is the index in Recording.Shapes.
	Shape int `json:"shape"`
	// The headers that vary between responses. Date and Reset are in Unix seconds.
	Limit      Number `json:"limit,omitzero"`
	Remaining  Number `json:"remaining,omitzero"`
	Reset      Number `json:"reset,omitzero"`
	RetryAfter Number `json:"retryAfter,omitzero"`
	Date       Number `json:"date,omitzero"`
	// Header has the text of those that are not plain numbers.
	Header http.Header `json:"header,omitempty"`
}

// Shape is a request and the part of its response that does not vary.
type Shape struct {
	ID       int                `json:"id"`
	Request  exchange.Request   `json:"request"`
	Response *exchange.Response `json:"response,omitempty"`
	Failure  *exchange.Failure  `json:"failure,omitempty"`
}

// Received returns the time of the response's first byte, since the run's start. Without a response it is the time at which the sender gave
// up.
func (r *Record) Received() time.Duration { return r.Sent + r.FirstByte }

// Ended returns the time of the response's end, since the run's start.
func (r *Record) Ended() time.Duration { return r.Sent + r.Done }

// Lag returns how much later than planned the request was sent.
func (r *Record) Lag() time.Duration { return r.Sent - r.Planned }

// Limited reports whether the response is a 429.
func (r *Record) Limited() bool { return r.Status == http.StatusTooManyRequests }

// Served reports whether the response shows that there is a service to judge: it is a success or a 429.
func (r *Record) Served() bool { return r.Status/100 == 2 || r.Limited() }

// Accepted reports whether the response shows that the limiter passed the request to the operation: it is a success, a redirect or a 404.
func (r *Record) Accepted() bool {
	return r.Status >= 200 && r.Status < 400 || r.Status == http.StatusNotFound
}

// Unsure reports whether it is not known if the limiter counted the request: there is no response, or it is neither Accepted nor Limited.
func (r *Record) Unsure() bool { return !r.Accepted() && !r.Limited() }

// Wait returns the time from Received that Retry-After asks to wait, at most exchange.LongestWait. started is the start of the run. If
// Retry-After is an HTTP date, it is compared with the response's Date. Wait returns false if Retry-After is missing or malformed.
func (r *Record) Wait(started time.Time) (time.Duration, bool) {
	if r.RetryAfter.Known() {
		return max(0, exchange.Seconds(int64(r.RetryAfter))), r.RetryAfter >= 0
	}
	if r.Header == nil {
		return 0, false
	}
	h := r.Header
	if r.Date.Known() {
		h = h.Clone()
		h.Set("Date", time.Unix(int64(r.Date), 0).UTC().Format(http.TimeFormat))
	}
	return exchange.RetryAfter(h, started.Add(r.Received()))
}

// ResetIn returns the time from Date to X-RateLimit-Reset, which may be negative. Both have to be known.
func (r *Record) ResetIn() time.Duration {
	const bound = 1 << 62 // so that the difference does not overflow
	return exchange.Seconds(max(-bound, min(int64(r.Reset), bound)) - int64(r.Date))
}
