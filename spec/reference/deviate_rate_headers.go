package reference

import (
	"slices"

	"petconform/spec"
)

// headless makes a deviation that leaves rate-limit headers out of the answers that w means. w is made anew for each
// service, since it may count.
func headless(name, suffers string, w func() when, headers ...string) Deviation {
	if len(headers) == 0 {
		headers = []string{limitHeader, remainingHeader, resetHeader}
	}
	return Deviation{
		Name: name, Breaks: ids("RATE-1"), Suffers: suffers,
		apply: func(b *behaviour) {
			b.alter(ofOperations(w()), func(c *call, _ *answer) {
				for _, h := range headers {
					c.header.Del(h)
				}
			})
		},
	}
}

// ofOperations means the answers of the four operations only; elsewhere the headers are no more than good sense.
func ofOperations(w when) when {
	return func(c *call, a *answer) bool { return c.operation != spec.Elsewhere && w(c, a) }
}

func just(w when) func() when { return func() when { return w } }

var rateHeaderDeviations = slices.Concat(
	[]Deviation{
		headless("rate-none", "A client cannot pace itself and learns of the limit from a 429.", just(always)),
		headless("rate-none-on-errors", "Headers are set only where a request succeeds.", just(failed)),
		headless("rate-none-on-401", "The limiter stands behind the key, and refused requests know nothing of it.", just(having(401))),
		headless("rate-none-on-404", "The headers get lost on the path of a miss.", just(having(404))),
		headless("rate-none-on-400", "The validator answers before the headers are set.", just(having(400))),
		headless("rate-none-on-415", "The router answers before the headers are set.", just(having(415))),
		headless("rate-none-on-201", "A creation is answered by another handler, without the headers.", just(having(201))),
		headless("rate-none-when-filtered", "A cache that answers filtered listings does not know the headers.", just(func(c *call, _ *answer) bool {
			return c.operation == spec.ListPets && c.filter.status != ""
		})),
		headless("rate-none-when-empty", "An early return for an empty listing forgets the headers.", just(func(c *call, a *answer) bool {
			return c.operation == spec.ListPets && string(a.body) == "[]"
		})),
		headless("rate-none-now-and-then", "One of several servers does not send the headers.", func() when { return every(7) }),
		headless("rate-no-limit", "A client knows what is left, and not of how much.", just(always), limitHeader),
		headless("rate-no-remaining", "A client knows the limit, and not what is left.", just(always), remainingHeader),
		headless("rate-no-reset", "A client does not know when to come back.", just(always), resetHeader),
		headless("rate-no-reset-on-errors", "The time is set only where a request succeeds.", just(failed), resetHeader),
		{
			Name: "rate-draft-names", Breaks: ids("RATE-1"),
			Suffers: "The headers have the names of a draft, which clients of this interface do not look for.",
			apply: func(b *behaviour) {
				b.alter(ofOperations(always), func(c *call, _ *answer) {
					for from, to := range map[string]string{limitHeader: "Ratelimit-Limit", remainingHeader: "Ratelimit-Remaining", resetHeader: "Ratelimit-Reset"} {
						c.header[to] = c.header[from]
						delete(c.header, from)
					}
				})
			},
		},
	},
	headlessOnEach(),
)

func headlessOnEach() []Deviation {
	var all []Deviation
	for _, op := range spec.Operations() {
		all = append(all, headless("rate-none-on-"+short(op), "One route was added without the limiter's middleware.", just(on(op))))
	}
	return all
}
