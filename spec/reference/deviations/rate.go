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
		fault("rate-limit-word", limitAs(fixedText("unlimited"))),
		fault("rate-limit-policy", limitAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Limit) + ";w=60" })),
		fault("rate-limit-fraction", limitAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Limit) + ".0" })),
		fault("rate-limit-0", limitAs(fixedText("0"))),
		fault("rate-limit-minus-1", limitAs(fixedText("-1"))),
		fault("rate-limit-twice", Always.Then(func(c *Call, _ *Answer) {
			c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
		})),
		fault("rate-remaining-negative", remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining - d.Limit - 1 }))),
		fault("rate-remaining-above-limit", remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining + d.Limit + 1 }))),
		fault("rate-remaining-word", remainingAs(fixedText("many"))),
		fault("rate-remaining-fraction", remainingAs(func(_ *Call, d limiter.Decision) string { return Whole(d.Remaining) + ".37" })),
	),
	faults(breaks("RATE-3"), may("RATE-9", "RATE-15"))(
		fault("rate-reset-milliseconds", resetAs(func(t time.Time) string { return Whole(t.UnixMilli()) })),
		fault("rate-reset-seconds-left", resetAt(Number(func(c *Call, d limiter.Decision) int64 { return SecondsUp(d.Reset.Sub(c.Now)) }))),
		fault("rate-reset-iso", resetAs(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })),
		fault("rate-reset-http-date", resetAs(func(t time.Time) string { return t.UTC().Format(http.TimeFormat) })),
		fault("rate-reset-fraction", resetAs(func(t time.Time) string { return Whole(t.Unix()) + ".250" })),
		fault("rate-reset-local-time",
			resetAs(func(t time.Time) string { return Whole(t.Add(-5 * time.Hour).Unix()) })),
		fault("rate-reset-past", resetAt(Number(func(c *Call, _ limiter.Decision) int64 { return c.Now.Add(-2 * time.Minute).Unix() }))),
		fault("rate-reset-0", resetAt(fixedText("0"))),
		fault("rate-reset-in-two-days", resetAs(func(t time.Time) string { return Whole(t.Add(49 * time.Hour).Unix()) })),
	),
	faults()(
		fault("rate-remaining-stands", remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return max(d.Limit-1, 0) })),
			breaks("RATE-4"), may("RATE-15")),
		fault("rate-remaining-rises", remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Limit - d.Remaining })),
			breaks("RATE-4"), may("RATE-15")),
		fault("rate-limit-is-what-remains",
			limitAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining })),
			breaks("RATE-22"), may("RATE-15", "RATE-4")),
		fault("rate-remaining-of-two-servers", func(b *Behaviour) {
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
	fault("rate-remaining-random", func(b *Behaviour) {
		b.Rate.Remaining = shuffled(upToLimit)
	}, breaks("RATE-4"), may("RATE-15")),
	fault("rate-limit-random", func(b *Behaviour) {
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
	fault("rate-none", OfOperations.Then(noRate)),
	fault("rate-none-on-errors", Failed.Then(noRate)),
	fault("rate-none-on-401", failing(noRate, 401)),
	fault("rate-none-on-404", failing(noRate, 404)),
	fault("rate-none-on-400", failing(noRate, 400)),
	fault("rate-none-on-415", failing(noRate, 415)),
	fault("rate-none-when-filtered", Filtered.Then(noRate)),
	fault("rate-none-when-empty", EmptyList.Then(noRate)),
	fault("rate-none-now-and-then", OfOperations.And(Every(7)).Then(noRate)),
	fault("rate-no-limit", OfOperations.Then(Lacking(LimitHeader))),
	fault("rate-no-remaining", OfOperations.Then(Lacking(RemainingHeader))),
	fault("rate-no-reset", OfOperations.Then(Lacking(ResetHeader))),
	fault("rate-no-reset-on-errors", Failed.Then(Lacking(ResetHeader))),
	fault("rate-draft-names", OfOperations.Then(func(c *Call, _ *Answer) {
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
		rows = append(rows, fault("rate-none-on-"+shortName(op), On(op).Then(noRate)))
	}
	return faults(breaks("RATE-1"))(rows...)
}
