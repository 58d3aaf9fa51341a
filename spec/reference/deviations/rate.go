package deviations

import (
	"fmt"
	"net/http"
	"slices"
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

// figureRows write a header of the rate limits otherwise.
func figureRows(header string, write func(HeaderText) Change, right func(limiter.Decision) int64, broken spec.ID, also ...spec.ID) []Deviation {
	var rows []Row[Deviation]
	for _, f := range []struct {
		how  string
		text func(n int64) string
	}{
		{"word", func(int64) string { return "unlimited" }},
		{"fraction", func(n int64) string { return Whole(n) + ".5" }},
		{"policy", func(n int64) string { return Whole(n) + ";w=60" }},
	} {
		rows = append(rows, fault("rate-"+header+"-"+f.how, write(func(_ *Call, d limiter.Decision) string { return f.text(right(d)) })))
	}
	return faults(breaks(broken), may(also...))(rows...)
}

// A load run compares the headers with what happens, so it may report more than their form.
var rateValueRows = slices.Concat(
	figureRows("limit", limitAs, func(d limiter.Decision) int64 { return d.Limit }, "RATE-2", "RATE-15"),
	figureRows("remaining", remainingAs, func(d limiter.Decision) int64 { return d.Remaining }, "RATE-2", "RATE-15"),
	figureRows("reset", resetAt, func(d limiter.Decision) int64 { return d.Reset.Unix() }, "RATE-3", "RATE-9", "RATE-15"),
	faults(breaks("RATE-2"), may("RATE-15"))(
		fault("rate-limit-0", limitAs(fixedText("0"))),
		fault("rate-limit-minus-1", limitAs(fixedText("-1"))),
		fault("rate-limit-twice", Always.Then(func(c *Call, _ *Answer) {
			c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
		})),
		fault("rate-remaining-above-limit",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining + d.Limit + 1 }))),
	),
	faults(breaks("RATE-3"), may("RATE-9", "RATE-15"))(
		fault("rate-reset-milliseconds", resetAs(func(t time.Time) string { return Whole(t.UnixMilli()) })),
		fault("rate-reset-seconds-left",
			resetAt(Number(func(c *Call, d limiter.Decision) int64 { return SecondsUp(d.Reset.Sub(c.Now)) }))),
		fault("rate-reset-iso", resetAs(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })),
		fault("rate-reset-http-date", resetAs(func(t time.Time) string { return t.UTC().Format(http.TimeFormat) })),
		fault("rate-reset-past", resetAs(func(t time.Time) string { return Whole(t.Add(-5 * time.Hour).Unix()) })),
		fault("rate-reset-in-two-days",
			resetAs(func(t time.Time) string { return Whole(t.Add(49 * time.Hour).Unix()) })),
	),
	faults(breaks("RATE-4"), may("RATE-15"))(
		fault("rate-remaining-stands",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return max(d.Limit-1, 0) }))),
		fault("rate-remaining-rises",
			remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Limit - d.Remaining }))),
	),
	faults(breaks("RATE-22"), may("RATE-15", "RATE-4"))(
		fault("rate-limit-is-what-remains",
			limitAs(Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining }))),
	),
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

var rateHeaderRows = faults(breaks("RATE-1"))(slices.Concat([]Row[Deviation]{
	fault("rate-none", OfOperations.Then(noRate)),
	fault("rate-none-when-filtered", Filtered.Then(noRate)),
	fault("rate-none-now-and-then", OfOperations.And(Every(7)).Then(noRate)),
	fault("rate-no-limit", OfOperations.Then(Lacking(LimitHeader))),
	fault("rate-no-remaining", OfOperations.Then(Lacking(RemainingHeader))),
	fault("rate-no-reset", OfOperations.Then(Lacking(ResetHeader))),
	fault("rate-no-reset-on-errors", Failed.Then(Lacking(ResetHeader))),
}, rateNoneRows())...)

// rateNoneRows leave the headers out of the answers of one operation, and of one status.
func rateNoneRows() (rows []Row[Deviation]) {
	for _, op := range spec.Operations() {
		rows = append(rows, fault("rate-none-on-"+shortName(op), On(op).Then(noRate)))
	}
	for _, status := range append([]int{415}, someErrors...) {
		rows = append(rows, fault(fmt.Sprintf("rate-none-on-%d", status), failing(noRate, status)))
	}
	return rows
}
