package deviations

import (
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

// figure writes a header as a number that is made from the decision.
func figure(header string, n func(d Decision) int64) Change {
	return Figure(header, func(_ *Call, d Decision) string { return Whole(n(d)) })
}

// A load run compares the headers with what happens, so it may report more than the form of a figure and of Reset.
const figureBroken, resetBroken = "RATE-2 RATE-15?", "RATE-3 RATE-9? RATE-15?"

func rateRows(t *table) {
	t.onEach("rate-none-on-", "RATE-1", spec.Operations(), func(on When) Change { return on.Then(noRate) })
	t.fault("rate-limit-word", figureBroken, Always.Then(Header(LimitHeader, "unlimited")))
	t.fault("rate-remaining-fraction", figureBroken,
		Figure(RemainingHeader, func(_ *Call, d Decision) string { return Whole(d.Remaining) + ".5" }))
	t.fault("rate-reset-word", resetBroken, Always.Then(Header(ResetHeader, "soon")))
	t.fault("rate-none", "RATE-1", OfOperations.Then(noRate))
	t.fault("rate-remaining-above-limit", figureBroken, left(func(d Decision) int64 { return d.Remaining + d.Limit + 1 }))
	t.fault("rate-reset-milliseconds", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.UnixMilli() }))
	t.fault("rate-reset-seconds-left", resetBroken,
		Figure(ResetHeader, func(c *Call, d Decision) string { return Whole(SecondsUp(d.Reset.Sub(c.Now))) }))
	t.fault("rate-reset-past", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.Add(-5 * time.Hour).Unix() }))
	t.fault("rate-remaining-stands", "RATE-4 RATE-15?", left(func(d Decision) int64 { return max(d.Limit-1, 0) }))
	t.fault("rate-limit-is-what-remains", "RATE-22 RATE-15? RATE-4?",
		figure(LimitHeader, func(d Decision) int64 { return d.Remaining }))
}
