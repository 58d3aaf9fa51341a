// Package record keeps what a load run sent and what came, small enough for millions of requests and whole enough to be
// judged again: an answer's varying headers are numbers, and all the rest of it is a Shape that many answers share.
package record

import (
	"net/http"
	"time"

	"petconform/spec/exchange"
)

// Record is one request of a load run and its answer.
type Record struct {
	// N numbers the requests of a run from 1, in the order in which they ended.
	N int `json:"n"`
	// Lane is the index of the key in Recording.Lanes.
	Lane  int   `json:"lane"`
	Phase Phase `json:"phase"`
	// Round counts the times that the phase was gone through, from 1.
	Round int  `json:"round"`
	Role  Role `json:"role"`
	// Other says that the run's other key went with the request, and not the lane's own.
	Other bool `json:"other,omitempty"`
	// Connection tells independent connections to the target apart; 0 is the run's own pool.
	Connection int `json:"connection,omitempty"`
	// Repeats is the number of the request that this one repeats, because its connection ended without a response; else 0.
	Repeats int `json:"repeats,omitempty"`

	// Planned is when the schedule wanted it sent, and Sent when it was; both since the run's start, by a clock that
	// doesn't jump. In a closed loop Planned is when the sender was free.
	Planned time.Duration `json:"plannedNs"`
	Sent    time.Duration `json:"sentNs"`
	// FirstByte and Done are the time from Sent to the answer's first byte and to its end.
	FirstByte time.Duration `json:"firstByteNs"`
	Done      time.Duration `json:"doneNs"`

	Status int `json:"status,omitempty"`
	// Shape is the index in Recording.Shapes of the request and of what all answers of this form share.
	Shape int `json:"shape"`
	// The headers that differ from answer to answer. Date is in Unix seconds, as Reset is.
	Limit      Number `json:"limit,omitzero"`
	Remaining  Number `json:"remaining,omitzero"`
	Reset      Number `json:"reset,omitzero"`
	RetryAfter Number `json:"retryAfter,omitzero"`
	Date       Number `json:"date,omitzero"`
	// Header has those of them that are written in another way than a plain number, as they came.
	Header http.Header `json:"header,omitempty"`
}

// Shape is a request, and of its answer all that does not vary from one to the next.
type Shape struct {
	ID       int                `json:"id"`
	Request  exchange.Request   `json:"request"`
	Response *exchange.Response `json:"response,omitempty"`
	Failure  *exchange.Failure  `json:"failure,omitempty"`
}

// Received is when the answer's first byte came, since the run's start; without an answer, when it was given up.
func (r *Record) Received() time.Duration { return r.Sent + r.FirstByte }

// Ended is when the answer was complete.
func (r *Record) Ended() time.Duration { return r.Sent + r.Done }

// Lag is how much later than planned the request was sent.
func (r *Record) Lag() time.Duration { return r.Sent - r.Planned }

// Limited says whether the answer was 429.
func (r *Record) Limited() bool { return r.Status == http.StatusTooManyRequests }

// Accepted says whether the limiter let the request through to the operation: a success, or a 404 of an animal that is gone.
func (r *Record) Accepted() bool {
	return r.Status >= 200 && r.Status < 400 || r.Status == http.StatusNotFound
}

// Unsure says whether the limiter may or may not have counted the request: there was no answer, or neither a success nor
// a 429.
func (r *Record) Unsure() bool { return !r.Accepted() && !r.Limited() }

// Wait is how long Retry-After asks to wait, from when the answer came, in a run that began at started. An HTTP date counts
// from the answer's own Date.
func (r *Record) Wait(started time.Time) (time.Duration, bool) {
	if r.RetryAfter.Known() {
		if r.RetryAfter < 0 || r.RetryAfter > 1<<32 {
			return 0, false
		}
		return time.Duration(r.RetryAfter) * time.Second, true
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
