package deviations

import (
	"fmt"
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

// figureRows write a header of the rate limits as something that is no number.
func (t *table) figureRows(name, header, broken string) {
	for _, as := range [...][2]string{{"word", "unlimited%.0s"}, {"fraction", "%s.5"}, {"policy", "%s;w=60"}} {
		t.fault(name+as[0], broken, Always.Then(Making(header, func(c *Call) string {
			return fmt.Sprintf(as[1], c.Header.Get(header))
		})))
	}
}

func rateRows(t *table) {
	t.onEach("rate-none-on-", "RATE-1", spec.Operations(), func(on When) Change { return on.Then(noRate) })
	t.figureRows("rate-limit-", LimitHeader, figureBroken)
	t.figureRows("rate-remaining-", RemainingHeader, figureBroken)
	t.figureRows("rate-reset-", ResetHeader, resetBroken)
	t.fault("rate-none", "RATE-1", OfOperations.Then(noRate))
	t.fault("rate-none-when-filtered", "RATE-1", Filtered.Then(noRate))
	t.fault("rate-none-when-repeated", "RATE-1", OnList.Of(200).And(sameAnswer()).Then(noRate))
	t.fault("rate-none-when-fetched-again", "RATE-1", OnGet.Of(200).And(sameAnswer()).Then(noRate))
	t.fault("rate-none-now-and-then", "RATE-1", OfOperations.And(Every(7)).Then(noRate))
	t.fault("rate-no-limit", "RATE-1", OfOperations.Then(Lacking(LimitHeader)))
	t.fault("rate-no-remaining", "RATE-1", OfOperations.Then(Lacking(RemainingHeader)))
	t.fault("rate-no-reset", "RATE-1", OfOperations.Then(Lacking(ResetHeader)))
	t.fault("rate-limit-0", figureBroken, Always.Then(Header(LimitHeader, "0")))
	t.fault("rate-limit-twice", figureBroken, Always.Then(func(c *Call, _ *Answer) {
		c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
	}))
	t.fault("rate-remaining-above-limit", figureBroken, left(func(d Decision) int64 { return d.Remaining + d.Limit + 1 }))
	t.fault("rate-reset-milliseconds", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.UnixMilli() }))
	t.fault("rate-reset-seconds-left", resetBroken,
		Figure(ResetHeader, func(c *Call, d Decision) string { return Whole(SecondsUp(d.Reset.Sub(c.Now))) }))
	t.fault("rate-reset-past", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.Add(-5 * time.Hour).Unix() }))
	t.fault("rate-remaining-stands", "RATE-4 RATE-15?", left(func(d Decision) int64 { return max(d.Limit-1, 0) }))
	t.fault("rate-remaining-rises", "RATE-4 RATE-15?", left(func(d Decision) int64 { return d.Limit - d.Remaining }))
	t.fault("rate-limit-is-what-remains", "RATE-22 RATE-15? RATE-4?",
		figure(LimitHeader, func(d Decision) int64 { return d.Remaining }))
	t.fault("rate-remaining-and-reset-swapped-on-201", "RATE-2 RATE-3 RATE-4?", Created.Then(func(c *Call, _ *Answer) {
		c.Header[RemainingHeader], c.Header[ResetHeader] = c.Header[ResetHeader], c.Header[RemainingHeader]
	}))
}
