package record

import (
	"cmp"
	"hash/maphash"
	"slices"

	"petconform/spec/exchange"
)

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
