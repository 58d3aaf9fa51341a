package freedoms

import (
	"sync"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// restRows are lawful in a check run: whether the limits apply to the animal endpoints is not shown (rule 5).
var restRows = variants()(
	variant("limits-apply-elsewhere",
		"The limits do not apply to the animal endpoints: Remaining stays at Limit, and nothing is refused.",
		func(b *Behaviour) {
			take := b.Take
			b.Take = func(c *Call) limiter.Decision {
				d := take(c)
				d.Allowed, d.Remaining = true, d.Limit
				return d
			}
		}, open("RATE-17"), part("Remaining")),
	variant("remaining-once-a-second", "Remaining is published once a second, when some requests were made before.",
		func(b *Behaviour) {
			var mu sync.Mutex
			type published struct {
				at   time.Time
				text string
			}
			by := map[*Account]published{}
			exact := b.Rate.Remaining
			b.Rate.Remaining = func(c *Call, d limiter.Decision) string {
				mu.Lock()
				defer mu.Unlock()
				last := by[c.Account]
				if c.Now.Sub(last.at) >= time.Second {
					d.Remaining -= min(d.Remaining, 7)
					last = published{c.Now, exact(c, d)}
					by[c.Account] = last
				}
				return last.text
			}
		}, open("RATE-18"), part("Remaining")),
	variant("others-spend-the-refill",
		"After a 429, other users of the key spend its next twelve refills before the client comes back: "+
			"it gets one 429 after the other.",
		othersSpend(others{afterRefusal: 12}),
		open("Authentication: a key may have other users"), part("others' requests")),
	variant("others-spend-early",
		"Other users spend what is left of an Enterprise key before its 3rd request, and from its 13th on three times in a row. "+
			"There the second Retry-After is a date, and asks for a second more.",
		othersSpend(others{atRequest: map[int]int{3: 1, 13: 3}}),
		open("Authentication: a key may have other users"), part("others' requests")),
	variant("others-spend-late", "As others-spend-early, before the 5th request and from the 16th on.",
		othersSpend(others{atRequest: map[int]int{5: 1, 16: 3}}),
		open("Authentication: a key may have other users"), part("others' requests")),
	variant("unavailable-once", "The eighth request that a key allows is answered 503, with a Retry-After of a second.",
		func(b *Behaviour) {
			eighth, out := Every(8), sync.Once{}
			b.Admit = After(b.Admit, func(c *Call, refused *Refusal) *Refusal {
				if refused == nil && eighth(c, nil) {
					out.Do(func() {
						c.SetHeader("Retry-After", "1")
						refused = Refused(503, "unavailable", "The service is back in a second.")
					})
				}
				return refused
			})
		}, open("RFC 9110, section 15.6.4: a service may be unavailable for a time"), part("outage")),
	variant("thirty-a-second", "A gateway lets 30 requests a second of a key through, and answers 429 to the others, with a Retry-After of a second.",
		Judged(func(_ *Behaviour, c *Call, served *servedIn, d limiter.Decision) limiter.Decision {
			if now := c.Now.Unix(); served.second != now {
				*served = servedIn{second: now}
			}
			if served.requests++; d.Allowed && served.requests > 30 {
				return RefusedFor(time.Second, c, d)
			}
			return d
		}), open("Limits: what stands in front of a service is not shown"), part("limiter in front")),
	variant("limit-adapts-every-second", "Limit is set anew each second, by the service's load.", func(b *Behaviour) {
		b.Rate.Limit = Number(func(c *Call, d limiter.Decision) int64 { return d.Limit + c.Now.Unix()*7919%500 })
	}, open("Limits: Enterprise has custom figures"), part("figure of headers")),
)

// servedIn counts the requests of a second.
type servedIn struct{ second, requests int64 }

// others say how many refills in a row other users take from a key: after it was refused, or from the request of a
// number on.
type others struct {
	afterRefusal int
	// atRequest is for keys of the plan Enterprise, whose window may be short.
	atRequest map[int]int
}

// spending is what others do with one key.
type spending struct{ requests, left, taken int }

// othersSpend lets others spend what a key has gained, before the request of the client is counted. In a row that
// begins at a request, the second Retry-After is a date, a second later than the window needs: its length and its form
// are the service's choice.
func othersSpend(o others) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		by, take, asks := map[*Account]*spending{}, b.Take, b.Rate.RetryAfter
		of := func(a *Account) *spending {
			if by[a] == nil {
				by[a] = &spending{}
			}
			return by[a]
		}
		b.Take = func(c *Call) limiter.Decision {
			mu.Lock()
			defer mu.Unlock()
			return of(c.Account).take(c, o, take)
		}
		b.Rate.RetryAfter = func(c *Call, d limiter.Decision) string {
			mu.Lock()
			defer mu.Unlock()
			if o.afterRefusal > 0 || c.Account == nil || of(c.Account).taken != 2 {
				return asks(c, d)
			}
			d.RetryAfter += time.Second
			return retryDate(b, c, d)
		}
	}
}

// take counts a request of the client, after those of others.
func (s *spending) take(c *Call, o others, take func(*Call) limiter.Decision) limiter.Decision {
	s.requests++
	if n := o.atRequest[s.requests]; n > 0 && c.Account.Plan.Name == spec.Enterprise.Name {
		s.left = n
	}
	if s.left > 0 && c.Account.Allowance.Look(c.Now).Allowed {
		s.left, s.taken = s.left-1, s.taken+1
		for take(c).Allowed { // others
		}
	}
	d := take(c)
	switch {
	case d.Allowed:
		s.left, s.taken = 0, 0
	case s.taken == 0 && s.left == 0:
		s.left = o.afterRefusal
	}
	return d
}
