package exchange

import (
	"strings"
	"time"
)

// Caller is what a service saw of the client that sent a request. Only the recording of a client run has it.
type Caller struct {
	// Key is the name of the key that the request carried. It is empty if none of the service's keys was recognised.
	Key string `json:"key,omitempty"`
	// Host is the address of the client without its port, or that of the client of a proxy.
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

// The credentials of a client, beside those that checks send.
const (
	BracketedKey   Auth = "bracketed"      // the right key in brackets, as in Bearer <API_KEY>
	DoubledScheme  Auth = "doubled-scheme" // the scheme twice: Bearer Bearer KEY
	WrappedKey     Auth = "wrapped"        // the right key with something else before or after it
	QueryKey       Auth = "query"          // the right key in the query, without Authorization
	OtherScheme    Auth = "other-scheme"   // a scheme that is not named elsewhere
	TwoCredentials Auth = "two"            // more than one Authorization header
)
