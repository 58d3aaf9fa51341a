package deviations

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

func fixedText(s string) HeaderText { return func(*Call, limiter.Decision) string { return s } }

func resetAs(write func(time.Time) string) Change {
	return resetAt(func(_ *Call, d limiter.Decision) string { return write(d.Reset) })
}

func limitAs(write HeaderText) Change {
	return func(b *Behaviour) { b.Rate.Limit = write }
}

func remainingAs(write HeaderText) Change {
	return func(b *Behaviour) { b.Rate.Remaining = write }
}

func resetAt(write HeaderText) Change {
	return func(b *Behaviour) { b.Rate.Reset = write }
}

// A load run compares the headers with what happens, so it may report more than their form.
var rateValueRows = slices.Concat(
	faults(breaks("RATE-2"), may("RATE-15"))(
		fault("rate-limit-word", "A client that expects a number reads a word.", limitAs(fixedText("unlimited"))),
		fault("rate-limit-policy", "The header carries a policy, which a number parser refuses.",
			limitAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Limit) + ";w=60" })),
		fault("rate-limit-fraction", "The number has a fraction, which an integer parser refuses.",
			limitAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Limit) + ".0" })),
		fault("rate-limit-0", "A client that divides by the limit fails.", limitAs(fixedText("0"))),
		fault("rate-limit-minus-1", "The limit is -1, which is meant as no limit.", limitAs(fixedText("-1"))),
		fault("rate-limit-twice", "The gateway and the service both set the header, and clients read one of the two.",
			Always.Then(func(c *Call, _ *Answer) {
				c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
			})),
		fault("rate-remaining-negative", "A client computes a negative pace.",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining - d.Limit - 1 }))),
		fault("rate-remaining-above-limit", "Remaining is above Limit.",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining + d.Limit + 1 }))),
		fault("rate-remaining-word", "A client that expects a number reads a word.", remainingAs(fixedText("many"))),
		fault("rate-remaining-fraction", "The number has a fraction, which an integer parser refuses.",
			remainingAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Remaining) + ".37" })),
	),
	faults(breaks("RATE-3"), may("RATE-9", "RATE-15"))(
		fault("rate-reset-milliseconds", "A client waits for fifty thousand years.",
			resetAs(func(t time.Time) string { return Whole(t.UnixMilli()) })),
		fault("rate-reset-seconds-left", "A client takes the seconds to wait for a time in 1970 and does not wait.",
			resetAt(Number(func(c *Call, d limiter.Decision) int64 { return SecondsUp(d.Reset.Sub(c.Now)) }))),
		fault("rate-reset-iso", "A client that expects Unix seconds reads an ISO date.",
			resetAs(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })),
		fault("rate-reset-http-date", "A client that expects Unix seconds reads an HTTP date.",
			resetAs(func(t time.Time) string { return t.UTC().Format(http.TimeFormat) })),
		fault("rate-reset-fraction", "The time has a fraction, which an integer parser refuses.",
			resetAs(func(t time.Time) string { return Whole(t.Unix()) + ".250" })),
		fault("rate-reset-local-time",
			"The reset is five hours in the past, because the time zone was added to Unix seconds.",
			resetAs(func(t time.Time) string { return Whole(t.Add(-5 * time.Hour).Unix()) })),
		fault("rate-reset-past", "The reset is two minutes in the past.",
			resetAt(Number(func(c *Call, _ limiter.Decision) int64 { return c.Now.Add(-2 * time.Minute).Unix() }))),
		fault("rate-reset-0", "The reset is in 1970.", resetAt(fixedText("0"))),
		fault("rate-reset-in-two-days", "The reset is further away than any window of a plan.",
			resetAs(func(t time.Time) string { return Whole(t.Add(49 * time.Hour).Unix()) })),
	),
	faults()(
		fault("rate-remaining-stands", "A client does not see that it comes close to the limit.",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return max(d.Limit-1, 0) })),
			breaks("RATE-4"), may("RATE-15")),
		fault("rate-remaining-rises", "Remaining counts the requests that are spent, in place of those that are left.",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Limit - d.Remaining })),
			breaks("RATE-4"), may("RATE-15")),
		fault("rate-limit-is-what-remains",
			"Limit falls with every request; a client that paces itself by it slows to a halt.",
			limitAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining })),
			breaks("RATE-22"), may("RATE-15", "RATE-4")),
		fault("rate-remaining-of-two-servers", "Remaining jumps up and down, because two servers count separately.",
			func(b *Behaviour) {
				var n atomic.Int64
				b.Rate.Remaining = Number(func(_ *Call, d limiter.Decision) int64 { return max(d.Limit-1-(n.Add(1)%2)*d.Limit/2, 0) })
			},
			breaks("RATE-15"), may("RATE-4"), needs(Load)),
	),
)

// shuffled returns numbers from 0 to most that follow no order.
func shuffled(most func(limiter.Decision) int64) HeaderText {
	var asked atomic.Uint64
	return Number(func(_ *Call, d limiter.Decision) int64 {
		return rand.New(rand.NewPCG(asked.Add(1), 1)).Int64N(most(d) + 1)
	})
}

func upToLimit(d limiter.Decision) int64 { return max(d.Limit, 0) }

// randomRateRows write figures that nothing counts.
var randomRateRows = faults()(
	fault("rate-remaining-random", "Remaining is a random number, by which no client can pace itself.",
		func(b *Behaviour) {
			b.Rate.Remaining = shuffled(upToLimit)
		}, breaks("RATE-4"), may("RATE-15")),
	fault("rate-limit-random", "Limit is another number in each answer.", func(b *Behaviour) {
		extra := shuffled(upToLimit)
		b.Rate.Limit = func(c *Call, d limiter.Decision) string {
			more, _ := strconv.ParseInt(extra(c, d), 10, 64)
			return Whole(d.Limit + more)
		}
	}, breaks("RATE-22"), may("RATE-15")),
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

var rateHeaderRows = slices.Concat(faults(breaks("RATE-1"))(
	fault("rate-none", "A client cannot pace itself and learns of the limit from a 429.", OfOperations.Then(noRate)),
	fault("rate-none-on-errors", "A client does not see its allowance on error responses.", Failed.Then(noRate)),
	fault("rate-none-on-401", "A 401 has no rate-limit headers, because the limiter runs after authentication.",
		failing(noRate, 401)),
	fault("rate-none-on-404", "A client does not see its allowance on a 404.", failing(noRate, 404)),
	fault("rate-none-on-400", "A 400 has no rate-limit headers, because the validator answers first.",
		failing(noRate, 400)),
	fault("rate-none-on-415", "A 415 has no rate-limit headers, because the router answers first.",
		failing(noRate, 415)),
	fault("rate-none-when-filtered", "Filtered listings have no rate-limit headers, because a cache answers them.",
		Filtered.Then(noRate)),
	fault("rate-none-when-empty", "An empty listing has no rate-limit headers.", EmptyList.Then(noRate)),
	fault("rate-none-now-and-then",
		"Every seventh answer has no rate-limit headers, because one server does not send them.",
		OfOperations.And(Every(7)).Then(noRate)),
	fault("rate-no-limit", "A client knows what is left, but not the limit.", OfOperations.Then(Lacking(LimitHeader))),
	fault("rate-no-remaining", "A client knows the limit, but not what is left.",
		OfOperations.Then(Lacking(RemainingHeader))),
	fault("rate-no-reset", "A client does not know when to come back.", OfOperations.Then(Lacking(ResetHeader))),
	fault("rate-no-reset-on-errors", "A client does not know when to come back after an error.",
		Failed.Then(Lacking(ResetHeader))),
	fault("rate-draft-names", "The headers have the names of a draft standard, which clients do not look for.",
		OfOperations.Then(func(c *Call, _ *Answer) {
			for _, from := range []string{LimitHeader, RemainingHeader, ResetHeader} {
				to := strings.TrimPrefix(from, "X-")
				c.Header[to] = c.Header[from]
				delete(c.Header, from)
			}
		})),
), rateHeadersOnEach())

func rateHeadersOnEach() []Deviation {
	var rows []Row[Deviation]
	for _, op := range spec.Operations() {
		rows = append(rows, fault("rate-none-on-"+shortName(op),
			"One operation was added without the limiter's middleware.", On(op).Then(noRate)))
	}
	return faults(breaks("RATE-1"))(rows...)
}
