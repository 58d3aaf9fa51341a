package reference

import (
	"slices"

	"petconform/spec"
)

// noRate removes the three rate-limit headers.
var noRate = lacking(limitHeader, remainingHeader, resetHeader)

var rateHeaderDeviations = table(Deviation{Breaks: ids("RATE-1")}, slices.Concat([]Deviation{
	{Name: "rate-none", Suffers: "A client cannot pace itself and learns of the limit from a 429.", apply: ofOperations.then(noRate)},
	{Name: "rate-none-on-errors", Suffers: "A client does not see its allowance on error responses.", apply: failed.then(noRate)},
	{Name: "rate-none-on-401", Suffers: "A 401 has no rate-limit headers, because the limiter runs after authentication.", apply: failing(noRate, 401)},
	{Name: "rate-none-on-404", Suffers: "A client does not see its allowance on a 404.", apply: failing(noRate, 404)},
	{Name: "rate-none-on-400", Suffers: "A 400 has no rate-limit headers, because the validator answers first.", apply: failing(noRate, 400)},
	{Name: "rate-none-on-415", Suffers: "A 415 has no rate-limit headers, because the router answers first.", apply: failing(noRate, 415)},
	{Name: "rate-none-when-filtered", Suffers: "Filtered listings have no rate-limit headers, because a cache answers them.", apply: filtered.then(noRate)},
	{Name: "rate-none-when-empty", Suffers: "An empty listing has no rate-limit headers.", apply: emptyList.then(noRate)},
	{Name: "rate-none-now-and-then", Suffers: "Every seventh answer has no rate-limit headers, because one server does not send them.",
		apply: ofOperations.and(every(7)).then(noRate)},
	{Name: "rate-no-limit", Suffers: "A client knows what is left, but not the limit.", apply: ofOperations.then(lacking(limitHeader))},
	{Name: "rate-no-remaining", Suffers: "A client knows the limit, but not what is left.", apply: ofOperations.then(lacking(remainingHeader))},
	{Name: "rate-no-reset", Suffers: "A client does not know when to come back.", apply: ofOperations.then(lacking(resetHeader))},
	{Name: "rate-no-reset-on-errors", Suffers: "A client does not know when to come back after an error.", apply: failed.then(lacking(resetHeader))},
	{Name: "rate-draft-names", Suffers: "The headers have the names of a draft standard, which clients do not look for.", apply: ofOperations.then(func(c *call, _ *answer) {
		for from, to := range map[string]string{limitHeader: "Ratelimit-Limit", remainingHeader: "Ratelimit-Remaining", resetHeader: "Ratelimit-Reset"} {
			c.header[to] = c.header[from]
			delete(c.header, from)
		}
	})},
}, rateHeadersOnEach()))

func rateHeadersOnEach() []Deviation {
	var all []Deviation
	for _, op := range spec.Operations() {
		all = append(all, Deviation{Name: "rate-none-on-" + shortName(op), Suffers: "One operation was added without the limiter's middleware.", apply: on(op).then(noRate)})
	}
	return all
}
