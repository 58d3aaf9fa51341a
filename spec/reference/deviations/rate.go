package deviations

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

// figure writes a header as a number that is made from the decision, and resetAs the Reset as a text.
func figure(header string, n func(d Decision) int64) Change {
	return Figure(header, func(_ *Call, d Decision) string { return Whole(n(d)) })
}

func resetAs(write func(reset time.Time) string) Change {
	return Figure(ResetHeader, func(_ *Call, d Decision) string { return write(d.Reset.UTC()) })
}

// A load run compares the headers with what happens, so it may report more than the form of a figure and of Reset.
const figureBroken, resetBroken = "RATE-2 RATE-15?", "RATE-3 RATE-9? RATE-15?"

// figureRows write a header of the rate limits as something that is no number.
func figureRows(name, header, broken string) (rows []Deviation) {
	for _, as := range [...][2]string{{"word", "unlimited%.0s"}, {"fraction", "%s.5"}, {"policy", "%s;w=60"}} {
		rows = append(rows, fault(name+as[0], broken, Always.Then(Making(header, func(c *Call) string {
			return fmt.Sprintf(as[1], c.Header.Get(header))
		}))))
	}
	return rows
}

var rateRows = slices.Concat(
	onEach("rate-none-on-", "RATE-1", spec.Operations(), func(on When) Change { return on.Then(noRate) }),
	figureRows("rate-limit-", LimitHeader, figureBroken),
	figureRows("rate-remaining-", RemainingHeader, figureBroken),
	figureRows("rate-reset-", ResetHeader, resetBroken),
	[]Deviation{
		fault("rate-none", "RATE-1", OfOperations.Then(noRate)),
		fault("rate-none-when-filtered", "RATE-1", Filtered.Then(noRate)),
		fault("rate-none-when-repeated", "RATE-1", OnList.Of(200).And(sameAnswer()).Then(noRate)),
		fault("rate-none-when-fetched-again", "RATE-1", OnGet.Of(200).And(sameAnswer()).Then(noRate)),
		fault("rate-none-now-and-then", "RATE-1", OfOperations.And(Every(7)).Then(noRate)),
		fault("rate-no-limit", "RATE-1", OfOperations.Then(Lacking(LimitHeader))),
		fault("rate-no-remaining", "RATE-1", OfOperations.Then(Lacking(RemainingHeader))),
		fault("rate-no-reset", "RATE-1", OfOperations.Then(Lacking(ResetHeader))),
		fault("rate-limit-0", figureBroken, Always.Then(Header(LimitHeader, "0"))),
		fault("rate-limit-twice", figureBroken, Always.Then(func(c *Call, _ *Answer) {
			c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
		})),
		fault("rate-remaining-above-limit", figureBroken, left(func(d Decision) int64 { return d.Remaining + d.Limit + 1 })),
		fault("rate-reset-milliseconds", resetBroken, resetAs(func(t time.Time) string { return Whole(t.UnixMilli()) })),
		fault("rate-reset-seconds-left", resetBroken,
			Figure(ResetHeader, func(c *Call, d Decision) string { return Whole(SecondsUp(d.Reset.Sub(c.Now))) })),
		fault("rate-reset-iso", resetBroken, resetAs(func(t time.Time) string { return t.Format(time.RFC3339) })),
		fault("rate-reset-past", resetBroken, resetAs(func(t time.Time) string { return Whole(t.Add(-5 * time.Hour).Unix()) })),
		fault("rate-remaining-stands", "RATE-4 RATE-15?", left(func(d Decision) int64 { return max(d.Limit-1, 0) })),
		fault("rate-remaining-rises", "RATE-4 RATE-15?", left(func(d Decision) int64 { return d.Limit - d.Remaining })),
		fault("rate-limit-is-what-remains", "RATE-22 RATE-15? RATE-4?",
			figure(LimitHeader, func(d Decision) int64 { return d.Remaining })),
		fault("rate-remaining-and-reset-swapped-on-201", "RATE-2 RATE-3 RATE-4?", Created.Then(func(c *Call, _ *Answer) {
			c.Header[RemainingHeader], c.Header[ResetHeader] = c.Header[ResetHeader], c.Header[RemainingHeader]
		})),
	},
)
