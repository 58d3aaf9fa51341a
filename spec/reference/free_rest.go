package reference

import (
	"sync"
	"time"

	"petconform/spec/reference/limiter"
)

// restFreedoms are lawful in a check run: whether the limits apply to the animal endpoints is not shown (rule 5).
var restFreedoms = []Freedom{
	{
		Name: "limits-apply-elsewhere", Open: open("RATE-17"), Part: "Remaining",
		Says: "The limits do not apply to the animal endpoints: Remaining stays at Limit, and nothing is refused.",
		apply: func(b *behaviour) {
			take := b.take
			b.take = func(c *call) limiter.Decision {
				d := take(c)
				d.Allowed, d.Remaining = true, d.Limit
				return d
			}
		},
	},
	{
		Name: "remaining-once-a-second", Open: open("RATE-18"), Part: "Remaining",
		Says: "Remaining is published once a second, when some requests were made before.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			type published struct {
				at   time.Time
				text string
			}
			by := map[*account]published{}
			exact := b.rate.remaining
			b.rate.remaining = func(c *call, d limiter.Decision) string {
				mu.Lock()
				defer mu.Unlock()
				last := by[c.account]
				if c.now.Sub(last.at) >= time.Second {
					d.Remaining -= min(d.Remaining, 7)
					last = published{c.now, exact(c, d)}
					by[c.account] = last
				}
				return last.text
			}
		},
	},
	{
		Name: "others-spend-the-refill", Open: open("Authentication: a key may have other users"), Part: "others' requests",
		Says: "After a 429, other users of the key spend its next twelve refills before the client comes back: it gets one 429 after the other.",
		apply: func(b *behaviour) {
			take, others := b.take, &otherSpenders{left: map[*account]int{}}
			b.take = func(c *call) limiter.Decision { return others.take(c, take) }
		},
	},
	{
		Name: "limit-adapts-every-second", Open: open("Limits: Enterprise has custom figures"), Part: "figure of headers",
		Says: "Limit is set anew each second, by the service's load.",
		apply: func(b *behaviour) {
			b.rate.limit = number(func(c *call, d limiter.Decision) int64 { return d.Limit + c.now.Unix()*7919%500 })
		},
	},
}

// refills is how many refills in a row the freedom others-spend-the-refill takes from a client.
const refills = 12

// otherSpenders counts the refills of each key that others still take.
type otherSpenders struct {
	mu   sync.Mutex
	left map[*account]int
}

// take lets others spend what a key has gained since it was refused, before the request is counted.
func (o *otherSpenders) take(c *call, take func(*call) limiter.Decision) limiter.Decision {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left[c.account] > 0 && c.account.allowance.Look(c.now).Allowed {
		o.left[c.account]--
		for take(c).Allowed { // others
		}
	}
	d := take(c)
	if _, begun := o.left[c.account]; !begun && !d.Allowed {
		o.left[c.account] = refills
	} else if d.Allowed {
		delete(o.left, c.account)
	}
	return d
}
