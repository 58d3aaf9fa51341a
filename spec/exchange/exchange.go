// Package exchange defines an exchange, one request and its response with their times and without keys, and a
// recording, a file of exchanges. All judging reads exchanges and nothing else.
package exchange

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"petconform/spec"
)

// Exchange is one request with its response or failure.
type Exchange struct {
	N int `json:"n"` // N numbers the exchanges of a run in the order of sending, from 1
	// Check is the id of the check, or the phase of a load run, that sent the request; Step is its name for the
	// request.
	Check     string         `json:"check,omitzero"`
	Step      string         `json:"step,omitempty"`
	Operation spec.Operation `json:"operation,omitzero"`
	// Auth is the kind of credential that the request had. The credential itself is never recorded.
	Auth     Auth      `json:"auth,omitzero"`
	Request  Request   `json:"request,omitzero"`
	Response *Response `json:"response,omitempty"`
	Failure  *Failure  `json:"failure,omitempty"` // why there is no (complete) response
	Sent     time.Time `json:"sent"`              // the time at which writing the request began, by this machine's clock
	// FirstByte and Done are the durations from Sent to the first byte and to the end of the response.
	FirstByte time.Duration `json:"firstByteNs,omitempty"`
	Done      time.Duration `json:"doneNs"`
	Reused    bool          `json:"reused,omitempty"` // the connection had served another request before
	// Attempt counts the attempts of the same request, from 1. A request is repeated after a 429 and in an outage.
	Attempt int     `json:"attempt,omitempty"`
	Caller  *Caller `json:"caller,omitempty"` // the client that sent the request, if it was not petconform
}

// Auth names the credential of a request.
type Auth string

// The kinds of credential of a request that code names; package invalid has the others. A service must accept Key and
// OtherKey, may accept LowerCaseScheme, and must answer the others with 401 (Authentication).
const (
	Key      Auth = "key"       // the target's own key under Bearer
	OtherKey Auth = "other-key" // the second key, kept for isolation

	NoKey          Auth = "none"         // no Authorization header
	EmptyKey       Auth = "empty"        // "Bearer " with nothing after it
	UnknownKey     Auth = "unknown"      // a key that no service has issued
	TruncatedKey   Auth = "truncated"    // the right key without its last character
	ExtendedKey    Auth = "extended"     // the right key with one character added
	PrefixedKey    Auth = "prefixed"     // the right key with one character before it
	SwappedCaseKey Auth = "swapped-case" // the right key with the case of its letters swapped
	QuotedKey      Auth = "quoted"       // the right key in quotation marks
	SpacedKey      Auth = "with-space"   // the right key twice, with a space between the two
	UndefinedKey   Auth = "undefined"    // the word undefined, which a client without a key may send

	// Whatever stands in front of a service may refuse these: see InFront.
	ConditionKey Auth = "condition" // a key that is a condition of SQL
	NotASCIIKey  Auth = "not-ascii" // a key with a letter beyond ASCII
	LongKey      Auth = "8-kB"      // a key of 8,000 bytes

	BasicScheme     Auth = "basic"             // the right key as the user name of Basic
	BasicPassword   Auth = "basic-password"    // the right key as the password of Basic
	TokenScheme     Auth = "token"             // the right key under the scheme Token
	APIKeyScheme    Auth = "api-key"           // the right key under ApiKey, with as many letters as Bearer
	NoScheme        Auth = "no-scheme"         // the right key alone, without a scheme
	KeyHeader       Auth = "key-header"        // the right key in X-Api-Key and in a cookie, without Authorization
	LowerCaseScheme Auth = "lower-case-scheme" // the right key under "bearer"; whether it is accepted is open
)

// Valid reports whether the service must accept the credential.
func (a Auth) Valid() bool { return a == Key || a == OtherKey }

// InFront returns the statuses with which a server in front of the service may refuse the credential.
func (a Auth) InFront() []int {
	switch a {
	case ConditionKey: // a firewall may look for it
		return []int{http.StatusBadRequest, http.StatusForbidden}
	case NotASCIIKey: // RFC 9110, section 5.5 asks for ASCII
		return []int{http.StatusBadRequest}
	case LongKey:
		return []int{http.StatusBadRequest, http.StatusRequestHeaderFieldsTooLarge}
	}
	return nil
}

type Request struct {
	Method string      `json:"method"`
	Path   string      `json:"path"` // relative to the base address, escaped, with its query: "/pets?limit=1"
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	// Incomplete says why Body is not all of the body that a client sent. Such a body is not judged.
	Incomplete string `json:"incomplete,omitempty"`
}

type Response struct {
	Status   int         `json:"status"`
	Proto    string      `json:"proto"`
	Header   http.Header `json:"header"`
	Body     Body        `json:"body,omitempty"`     // the content, decoded by its Content-Encoding
	Encoding string      `json:"encoding,omitempty"` // the Content-Encoding that was decoded
	// Truncated says that only a part of the body is kept; Size is the number of bytes that were read, at most one
	// more than a body may have that is kept whole.
	Truncated bool  `json:"truncated,omitempty"`
	Size      int64 `json:"size"`
	Redacted  bool  `json:"redacted,omitempty"` // the response had the key, which Mask replaces
}

// Failure is why an exchange has no complete response.
type Failure struct {
	Kind     Kind   `json:"kind"`
	Detail   string `json:"detail"`
	Redacted bool   `json:"redacted,omitempty"` // Detail, which may quote the target, had the key
}

// Kind sorts failures by whose fault they may be.
type Kind string

const (
	// Timeout: no complete response arrived in time. The network may be the cause, so no requirement fails.
	Timeout     Kind = "timeout"
	Unreachable Kind = "unreachable" // no connection could be made
	Closed      Kind = "closed"      // the connection ended before the response was complete
	NotHTTP     Kind = "not-http"    // the bytes received are not an HTTP response
	TooLarge    Kind = "too-large"   // the response is longer than petconform reads
	Undecodable Kind = "undecodable" // the body cannot be decoded by its Content-Encoding
	Unasked     Kind = "unasked"     // the body has a Content-Encoding that the request did not ask for
	// Outage: the request was sent during an outage of the target. It was sent again later, or the outage did not end.
	// Its response is recorded and not judged.
	Outage  Kind = "outage"
	Stopped Kind = "stopped" // the run was aborted while the request was in flight
)

// Redacted reports whether the target sent a key back.
func (x Exchange) Redacted() bool {
	return x.Response != nil && x.Response.Redacted || x.Failure != nil && x.Failure.Redacted
}

// Status returns the HTTP status of the response, 0 if there is none.
func (x Exchange) Status() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Received returns the time of the first byte of the response, by this machine's clock.
func (x Exchange) Received() time.Time { return x.Sent.Add(x.FirstByte) }

// Ended returns the time at which the response was complete, by this machine's clock.
func (x Exchange) Ended() time.Time { return x.Sent.Add(x.Done) }

// Answered reports whether a complete response came.
func (x Exchange) Answered() bool { return x.Response != nil && x.Failure == nil }

// Named reports whether an operation of the interface answered the request.
func (x Exchange) Named() bool { return x.Operation != spec.Elsewhere && !x.refusedInFront() }

// longTarget is the length of a path with its query from which servers in front of a service refuse it; some read 4,094
// bytes.
const longTarget = 4_000

// refusedInFront reports whether a server in front of the service, or the one that it is built on, may have refused the
// request for its size or its encoding, before any operation was called.
func (x Exchange) refusedInFront() bool {
	may := x.Auth.InFront()
	if len(x.Request.Path) > longTarget {
		may = append(may, http.StatusBadRequest, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge)
	}
	if x.Status() == http.StatusBadRequest {
		if _, err := url.ParseRequestURI(x.Request.Path); err != nil {
			return true
		}
	}
	return slices.Contains(may, x.Status())
}

// Unavailable reports whether a status says that what stands in front of a service does not reach it: 502, 503 or 504.
func Unavailable(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// Limited reports whether the response is a 429. A 429 concerns the allowance and never fails a check.
func (x Exchange) Limited() bool { return x.Status() == http.StatusTooManyRequests }

// ReusedClosed reports whether a reused connection closed without an answer. RFC 9112, section 9.5 lets a server close
// a connection at any time, and so while a request to it is on its way.
func (x Exchange) ReusedClosed() bool {
	return x.Reused && x.Response == nil && x.Failure != nil && x.Failure.Kind == Closed
}

// Caller is what a service saw of the client that sent a request. Only the recording of a client run has it.
type Caller struct {
	// Key is the name of the key that the request carried. It is empty if none of the service's keys was recognised.
	Key string `json:"key,omitempty"`
	// Host is the address of the client without its port.
	Host string `json:"host,omitempty"`
	// Connection numbers the connections of the run, from 1. It is 0 if requests of several clients may share the
	// connection.
	Connection int `json:"connection,omitempty"`
	// Ahead is the time from the first byte of the request, or from the opening of its connection if it is the first
	// request on it, to Exchange.Sent.
	Ahead time.Duration `json:"aheadNs,omitempty"`
}

// WholePath is the path of the request with its query, as its sender wrote it. The recording of a client run has the
// path relative to the base address, which ends in /v1, or after /.. if the request went elsewhere.
func (x Exchange) WholePath() string {
	path := x.Request.Path
	if x.Caller == nil {
		return path
	}
	if elsewhere, ok := strings.CutPrefix(path, "/.."); ok {
		return elsewhere
	}
	return "/v1" + path
}

// OtherForm is a credential of a client in another form than that of the interface, or the key in another place.
const OtherForm Auth = "other-form"
