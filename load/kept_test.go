package load

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync/atomic"
	"testing"

	"petconform/spec"
	"petconform/spec/verdict"
)

// closing is a target that closes every fifth connection without a response: only kept ones, or any.
type closing struct {
	next http.RoundTripper
	any  bool
	sent *atomic.Int64
	lost *atomic.Int64
}

func (c closing) RoundTrip(r *http.Request) (*http.Response, error) {
	n := c.sent.Add(1)
	reused := n > 1 && !r.Close
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Reused: reused})
	if n%5 == 0 && (reused || c.any) {
		c.lost.Add(1)
		return nil, io.EOF
	}
	return c.next.RoundTrip(r)
}

// TestKeptConnectionsThatClose checks that a target may close kept connections in use, and that one which closes new connections too is
// found.
func TestKeptConnectionsThatClose(t *testing.T) {
	for _, anyOne := range []bool{false, true} {
		var sent, lost atomic.Int64
		res, _ := scene{change: func(c *Config) {
			connect := c.Connect
			c.Connect = func() http.RoundTripper { return closing{connect(), anyOne, &sent, &lost} }
		}}.play(t)
		failed := failures(res)
		if !anyOne && (res.Verdict != verdict.Conforms || lost.Load() < 2) {
			tellResults(t, res)
			t.Errorf("kept connections close: %s, failed %v, %d lost; want a target that conforms although it lost some", res.Verdict, failed, lost.Load())
		}
		if anyOne && (!slices.Contains(failed, spec.ID("RATE-14")) || !slices.Contains(failed, spec.ID("SERVICE-3"))) {
			tellResults(t, res)
			t.Errorf("new connections close too: %s, failed %v; want RATE-14 and SERVICE-3", res.Verdict, failed)
		}
	}
}
