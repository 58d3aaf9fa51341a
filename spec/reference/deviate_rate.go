package reference

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

func fixedText(s string) headerText { return func(*call, limiter.Decision) string { return s } }

func resetAs(write func(time.Time) string) headerText {
	return func(_ *call, d limiter.Decision) string { return write(d.Reset) }
}

func limitAs(write headerText) func(*behaviour) {
	return func(b *behaviour) { b.rate.limit = write }
}

func remainingAs(write headerText) func(*behaviour) {
	return func(b *behaviour) { b.rate.remaining = write }
}

// resets makes a row that writes X-RateLimit-Reset.
func resets(name, suffers string, write headerText) Deviation {
	return Deviation{Name: name, Suffers: suffers, apply: func(b *behaviour) { b.rate.reset = write }}
}

// A load run compares the headers with what happens, so it may report more than their form.
var rateValueDeviations = slices.Concat(
	table(Deviation{Breaks: ids("RATE-2"), May: ids("RATE-15")}, []Deviation{
		{Name: "rate-limit-word", Suffers: "A client that expects a number reads a word.", apply: limitAs(fixedText("unlimited"))},
		{Name: "rate-limit-policy", Suffers: "The header carries a policy, which a number parser refuses.", apply: limitAs(func(_ *call, d limiter.Decision) string { return whole(d.Limit) + ";w=60" })},
		{Name: "rate-limit-fraction", Suffers: "The number has a fraction, which an integer parser refuses.", apply: limitAs(func(_ *call, d limiter.Decision) string { return whole(d.Limit) + ".0" })},
		{Name: "rate-limit-0", Suffers: "A client that divides by the limit fails.", apply: limitAs(fixedText("0"))},
		{Name: "rate-limit-minus-1", Suffers: "The limit is -1, which is meant as no limit.", apply: limitAs(fixedText("-1"))},
		{Name: "rate-limit-twice", Suffers: "The gateway and the service both set the header, and clients read one of the two.", apply: always.then(func(c *call, _ *answer) {
			c.header[limitHeader] = append(c.header[limitHeader], "100")
		})},
		{Name: "rate-remaining-negative", Suffers: "A client computes a negative pace.", apply: remainingAs(number(func(_ *call, d limiter.Decision) int64 { return d.Remaining - d.Limit - 1 }))},
		{Name: "rate-remaining-above-limit", Suffers: "Remaining is above Limit.", apply: remainingAs(number(func(_ *call, d limiter.Decision) int64 { return d.Remaining + d.Limit + 1 }))},
		{Name: "rate-remaining-word", Suffers: "A client that expects a number reads a word.", apply: remainingAs(fixedText("many"))},
		{Name: "rate-remaining-fraction", Suffers: "The number has a fraction, which an integer parser refuses.",
			apply: remainingAs(func(_ *call, d limiter.Decision) string { return whole(d.Remaining) + ".37" })},
	}),
	table(Deviation{Breaks: ids("RATE-3"), May: ids("RATE-9", "RATE-15")}, []Deviation{
		resets("rate-reset-milliseconds", "A client waits for fifty thousand years.", resetAs(func(t time.Time) string { return whole(t.UnixMilli()) })),
		resets("rate-reset-seconds-left", "A client takes the seconds to wait for a time in 1970 and does not wait.",
			number(func(c *call, d limiter.Decision) int64 { return secondsUp(d.Reset.Sub(c.now)) })),
		resets("rate-reset-iso", "A client that expects Unix seconds reads an ISO date.", resetAs(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })),
		resets("rate-reset-http-date", "A client that expects Unix seconds reads an HTTP date.", resetAs(func(t time.Time) string { return t.UTC().Format(http.TimeFormat) })),
		resets("rate-reset-fraction", "The time has a fraction, which an integer parser refuses.", resetAs(func(t time.Time) string { return whole(t.Unix()) + ".250" })),
		resets("rate-reset-local-time", "The reset is five hours in the past, because the time zone was added to Unix seconds.", resetAs(func(t time.Time) string { return whole(t.Add(-5 * time.Hour).Unix()) })),
		resets("rate-reset-past", "The reset is two minutes in the past.", number(func(c *call, _ limiter.Decision) int64 { return c.now.Add(-2 * time.Minute).Unix() })),
		resets("rate-reset-0", "The reset is in 1970.", fixedText("0")),
		resets("rate-reset-in-two-days", "The reset is further away than any window of a plan.", resetAs(func(t time.Time) string { return whole(t.Add(49 * time.Hour).Unix()) })),
	}),
	[]Deviation{
		{Name: "rate-remaining-stands", Breaks: ids("RATE-4"), May: ids("RATE-15"), Suffers: "A client does not see that it comes close to the limit.",
			apply: remainingAs(number(func(_ *call, d limiter.Decision) int64 { return max(d.Limit-1, 0) }))},
		{Name: "rate-remaining-rises", Breaks: ids("RATE-4"), May: ids("RATE-15"), Suffers: "Remaining counts the requests that are spent, in place of those that are left.",
			apply: remainingAs(number(func(_ *call, d limiter.Decision) int64 { return d.Limit - d.Remaining }))},
		{Name: "rate-limit-is-what-remains", Breaks: ids("RATE-22"), May: ids("RATE-15", "RATE-4"), Suffers: "Limit falls with every request; a client that paces itself by it slows to a halt.",
			apply: limitAs(number(func(_ *call, d limiter.Decision) int64 { return d.Remaining }))},
		{Name: "rate-remaining-of-two-servers", Breaks: ids("RATE-15"), May: ids("RATE-4"), Needs: Load, Suffers: "Remaining jumps up and down, because two servers count separately.",
			apply: func(b *behaviour) {
				var n atomic.Int64
				b.rate.remaining = number(func(_ *call, d limiter.Decision) int64 { return max(d.Limit-1-(n.Add(1)%2)*d.Limit/2, 0) })
			}},
	},
)

// shuffled returns numbers from 0 to most that follow no order.
func shuffled(most func(limiter.Decision) int64) headerText {
	var asked atomic.Uint64
	return number(func(_ *call, d limiter.Decision) int64 {
		return rand.New(rand.NewPCG(asked.Add(1), 1)).Int64N(most(d) + 1)
	})
}

func upToLimit(d limiter.Decision) int64 { return max(d.Limit, 0) }

// randomRateDeviations write figures that nothing counts.
var randomRateDeviations = []Deviation{
	{Name: "rate-remaining-random", Breaks: ids("RATE-4"), May: ids("RATE-15"), Suffers: "Remaining is a random number, by which no client can pace itself.", apply: func(b *behaviour) {
		b.rate.remaining = shuffled(upToLimit)
	}},
	{Name: "rate-limit-random", Breaks: ids("RATE-22"), May: ids("RATE-15"), Suffers: "Limit is another number in each answer.", apply: func(b *behaviour) {
		extra := shuffled(upToLimit)
		b.rate.limit = func(c *call, d limiter.Decision) string {
			more, _ := strconv.ParseInt(extra(c, d), 10, 64)
			return whole(d.Limit + more)
		}
	}},
}

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
