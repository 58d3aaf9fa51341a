package freedoms

import (
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// restRows are lawful in a check run: whether the limits apply to the animal endpoints is not shown (rule 5).
func restRows(t *table) {
	t.part("Remaining", "RATE-17")
	t.variant("limits-apply-elsewhere",
		"The limits do not apply to the animal endpoints: Remaining stays at Limit, and nothing is refused.",
		Decided(func(_ *Call, take Take) Decision {
			d := Accepted(take())
			d.Remaining = d.Limit
			return d
		}))
	const every = 10 * time.Second
	t.variant("remaining-every-10s", "Remaining is published every 10 s, when some requests were made before.",
		Judged(func(c *Call, published *struct {
			at        time.Time
			remaining int64
		}, d Decision) Decision {
			if c.Now.Sub(published.at) >= every {
				published.at, published.remaining = c.Now, max(d.Remaining-7, 0)
			}
			d.Remaining = published.remaining
			return d
		}))
	t.part("others' requests", "Authentication: a key may have other users")
	t.variant("others-spend-the-refill",
		"After a 429, other users of the key spend its next twelve refills before the client comes back: "+
			"it gets one 429 after the other.", othersSpend(others{afterRefusal: 12}))
	t.variant("others-spend-early",
		"Other users spend what is left of an Enterprise key before its 3rd request, and from its 13th on three times "+
			"in a row. There the second Retry-After is a date, and asks for a second more.",
		othersSpend(others{atRequest: map[int]int{3: 1, 13: 3}}))
	t.variant("others-spend-late", "As others-spend-early, before the 5th request and from the 16th on.",
		othersSpend(others{atRequest: map[int]int{5: 1, 16: 3}}))
	t.part("outage", "RFC 9110, section 15.6.4: a service may be unavailable for a time")
	var requests atomic.Int64
	t.variant("unavailable-once", "The eighth request that a key allows is answered 503, with a Retry-After of a second.",
		Check(func(c *Call) *Refusal {
			if requests.Add(1) != 8 {
				return nil
			}
			c.SetHeader(RetryAfterHeader, "1")
			return Refused(503, "unavailable", "The service is back in a second.")
		}))
	t.part("limiter in front", "Limits: what stands in front of a service is not shown")
	t.variant("thirty-a-second",
		"A gateway lets 30 requests a second of a key through, and answers 429 to the others, with a Retry-After of 1.",
		Judged(func(c *Call, in *struct{ second, requests int64 }, d Decision) Decision {
			if in.second != c.Now.Unix() {
				in.second, in.requests = c.Now.Unix(), 0
			}
			if in.requests++; d.Allowed && in.requests > 30 {
				return RefusedFor(time.Second, c, d)
			}
			return d
		}))
	t.part("figure of headers", "Limits: Enterprise has custom figures")
	t.variant("limit-adapts-every-second", "Limit is set anew each second, by the service's load.",
		Figure(LimitHeader, func(c *Call, d Decision) string {
			return Whole(d.Limit + c.Now.Unix()*7919%500)
		}))
}

// others say how many refills in a row other users take from a key: after it was refused, or from the request of a
// number on.
type others struct {
	afterRefusal int
	// atRequest is for keys of the plan Enterprise, whose window may be short.
	atRequest map[int]int
}

// spending is what others do with one key.
type spending struct {
	mu                    sync.Mutex
	requests, left, taken int
}

// othersSpend lets others spend what a key has gained, before the request of the client is counted. In a row that
// begins at a request, the second Retry-After is a date, a second later than the window needs: its length and its form
// are the service's choice.
func othersSpend(o others) Change {
	of := PerKey[spending]()
	return Together(Decided(func(c *Call, take Take) Decision { return of(c).take(c, o, take) }),
		Always.Of(429).And(func(c *Call) bool { return o.afterRefusal == 0 && c.RefusedInARow == 2 }).Then(
			Making(RetryAfterHeader, func(c *Call) string {
				c.Decision.RetryAfter += time.Second
				return dated(c, c.Decision)
			})))
}

// take counts a request of the client, after those of others.
func (s *spending) take(c *Call, o others, take Take) Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if n := o.atRequest[s.requests]; n > 0 && c.Account.Plan.Name == spec.Enterprise.Name {
		s.left = n
	}
	if s.left > 0 && c.Account.Allowance.Look(c.Now).Allowed {
		s.left, s.taken = s.left-1, s.taken+1
		for take().Allowed { // others
		}
	}
	d := take()
	switch {
	case d.Allowed:
		s.left, s.taken = 0, 0
	case s.taken == 0 && s.left == 0:
		s.left = o.afterRefusal
	}
	c.RefusedInARow = s.taken
	return d
}
