package checks

import (
	"slices"

	"petconform/conformance/check"
)

// values are what a check sends one after the other: those of every run, those of which a quick run sends one, by its
// seed, and those that only a full run sends.
type values[T any] struct{ always, varied, deep []T }

func (v values[T]) all() []T { return slices.Concat(v.always, v.varied, v.deep) }

// sentBy completes a check that sends a request for each value. step is the step of a request, without its sender.
func (v values[T]) sentBy(c check.Check, step func(T) string, request func(*check.Sender, T) check.Request) check.Check {
	c.Requests = len(v.always) + min(1, len(v.varied))
	c.Deeper = len(v.all()) - c.Requests
	for _, one := range v.varied {
		c.Varied = append(c.Varied, step(one))
	}
	if c.Send == nil {
		c.Send = func(s *check.Sender) { s.Together(each(s, v.quick(s), request)...) }
	}
	c.Deep = func(s *check.Sender) []check.Request {
		return each(s, slices.Concat(check.Rest(s, 1, v.varied), v.deep), request)
	}
	return c
}

// inRounds completes a check whose requests are sent after every check has sent its first.
func (v values[T]) inRounds(c check.Check, step func(T) string, request func(*check.Sender, T) check.Request) check.Check {
	c = v.sentBy(c, step, request)
	c.Send, c.Further = nil, func(s *check.Sender) []check.Request { return each(s, v.quick(s), request) }
	return c
}

func (v values[T]) quick(s *check.Sender) []T {
	return slices.Concat(v.always, check.Some(s, 1, v.varied))
}

// each makes a request of each value.
func each[T any](s *check.Sender, all []T, request func(*check.Sender, T) check.Request) []check.Request {
	out := make([]check.Request, len(all))
	for i, one := range all {
		out[i] = request(s, one)
	}
	return out
}
