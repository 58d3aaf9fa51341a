package exchange

import (
	"net/http"
	"time"

	"petconform/spec"
)

// Exchange is one request and what came of it.
type Exchange struct {
	// N numbers the exchanges of a run in the order of sending, from 1.
	N int `json:"n"`
	// Check is the id of the check, or the phase of a load run, that sent it; Step is what it calls this request.
	Check string `json:"check"`
	Step  string `json:"step,omitempty"`
	// Operation is the operation that was called.
	Operation spec.Operation `json:"operation"`
	// Auth says which credential went with the request. The credential itself is never recorded.
	Auth     Auth      `json:"auth"`
	Request  Request   `json:"request"`
	Response *Response `json:"response,omitempty"`
	// Failure says why there is no (complete) response.
	Failure *Failure `json:"failure,omitempty"`
	// Sent is when the request was begun to be written, by this machine's clock.
	Sent time.Time `json:"sent"`
	// FirstByte and Done are the time from Sent to the first byte of the answer, and to its end.
	FirstByte time.Duration `json:"firstByteNs,omitempty"`
	Done      time.Duration `json:"doneNs"`
	// Reused says that the request went over a connection that had served another; Idle is how long that was ago.
	Reused bool          `json:"reused,omitempty"`
	Idle   time.Duration `json:"idleNs,omitempty"`
	// Attempt counts the sendings of the same request: 2 and more follow a 429 or a poll.
	Attempt int `json:"attempt,omitempty"`
}

// Auth names the credential of a request.
type Auth string

// The credentials that a request can go with. Every one but Key must be answered 401 (Authentication).
const (
	// Key is the target's own key under Bearer.
	Key Auth = "key"
	// OtherKey is the second key, kept for isolation.
	OtherKey Auth = "other-key"
	// NoKey leaves the Authorization header out.
	NoKey Auth = "none"
	// EmptyKey is "Bearer " with nothing behind it.
	EmptyKey Auth = "empty"
	// UnknownKey is a key that was made up.
	UnknownKey Auth = "unknown"
	// DamagedKey is the right key with one character in its middle changed.
	DamagedKey Auth = "damaged"
	// TruncatedKey is the right key without its last character.
	TruncatedKey Auth = "truncated"
	// ExtendedKey is the right key with one character added.
	ExtendedKey Auth = "extended"
	// SwappedCaseKey is the right key with the case of its letters swapped.
	SwappedCaseKey Auth = "swapped-case"
	// BasicScheme is the right key as the user name of Basic.
	BasicScheme Auth = "basic"
	// TokenScheme is the right key under the scheme Token.
	TokenScheme Auth = "token"
	// APIKeyScheme is the right key under ApiKey, a scheme that is as long as Bearer.
	APIKeyScheme Auth = "api-key"
	// NoScheme is the right key alone, without a scheme.
	NoScheme Auth = "no-scheme"
	// LowerCaseScheme is the right key under "bearer"; whether it is accepted is open.
	LowerCaseScheme Auth = "lower-case-scheme"
)

// Valid says whether the credential has to be accepted.
func (a Auth) Valid() bool { return a == Key || a == OtherKey }

// Request is what was sent.
type Request struct {
	Method string `json:"method"`
	// Path is relative to the base address, escaped, with its query: "/pets?limit=1".
	Path   string      `json:"path"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
}

// Response is what came back.
type Response struct {
	Status int         `json:"status"`
	Proto  string      `json:"proto"`
	Header http.Header `json:"header"`
	// Body is the content after its Content-Encoding was undone.
	Body Body `json:"body,omitempty"`
	// Encoding is the Content-Encoding that was undone.
	Encoding string `json:"encoding,omitempty"`
	// Truncated says that the body was longer than is kept; Size is how much of it was read.
	Truncated bool  `json:"truncated,omitempty"`
	Size      int64 `json:"size"`
	// Redacted says that the key stood in the answer and was taken out.
	Redacted bool `json:"redacted,omitempty"`
}

// Failure is why an exchange has no complete response.
type Failure struct {
	Kind   Kind   `json:"kind"`
	Detail string `json:"detail"`
}

// Kind sorts failures by whose fault they may be.
type Kind string

const (
	// Timeout: no complete answer within the time that was allowed. It may be the network's, so nothing is failed for it.
	Timeout Kind = "timeout"
	// Unreachable: no connection could be made.
	Unreachable Kind = "unreachable"
	// Closed: the connection ended before a complete answer.
	Closed Kind = "closed"
	// NotHTTP: what came was no HTTP response.
	NotHTTP Kind = "not-http"
	// TooLarge: the answer went beyond what is read.
	TooLarge Kind = "too-large"
	// Undecodable: the body does not decode by its Content-Encoding.
	Undecodable Kind = "undecodable"
	// Stopped: the run was stopped while the request was under way.
	Stopped Kind = "stopped"
)

// Status is the response's HTTP status, 0 when there is no response.
func (x Exchange) Status() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Received is when the answer's first byte came, by this machine's clock.
func (x Exchange) Received() time.Time { return x.Sent.Add(x.FirstByte) }

// Ended is when the answer was complete, by this machine's clock.
func (x Exchange) Ended() time.Time { return x.Sent.Add(x.Done) }

// Answered says whether a complete response came.
func (x Exchange) Answered() bool { return x.Response != nil && x.Failure == nil }

// Named says whether the request called an operation of the interface.
func (x Exchange) Named() bool { return x.Operation != spec.Elsewhere }

// Limited says whether the answer was 429, which is a matter of the allowance and never of the check.
func (x Exchange) Limited() bool { return x.Status() == http.StatusTooManyRequests }
