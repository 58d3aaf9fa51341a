package deviations

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

// figure writes a header as a number that is made from the decision, and resetAs the Reset as a text.
func figure(header string, n func(d limiter.Decision) int64) Change {
	return Figure(header, func(_ *Call, d limiter.Decision) string { return Whole(n(d)) })
}

func resetAs(write func(reset time.Time) string) Change {
	return Figure(ResetHeader, func(_ *Call, d limiter.Decision) string { return write(d.Reset.UTC()) })
}

// figureRows write a header of the rate limits as something that is no number. A load run compares the headers with
// what happens, so it may report more than their form.
func figureRows() (rows []Deviation) {
	for _, h := range []struct{ name, header, broken string }{
		{"limit", LimitHeader, "RATE-2 RATE-15?"}, {"remaining", RemainingHeader, "RATE-2 RATE-15?"},
		{"reset", ResetHeader, "RATE-3 RATE-9? RATE-15?"},
	} {
		for _, f := range []struct{ how, format string }{{"word", "unlimited"}, {"fraction", "%s.5"}, {"policy", "%s;w=60"}} {
			rows = append(rows, fault("rate-"+h.name+"-"+f.how, h.broken, Always.Then(func(c *Call, _ *Answer) {
				text := f.format
				if f.how != "word" {
					text = fmt.Sprintf(text, c.Header.Get(h.header))
				}
				c.SetHeader(h.header, text)
			})))
		}
	}
	return rows
}

// repeated selects the answers with a status to a GET that was answered with the same before.
func repeated(status int) When {
	key := new(byte)
	return func(c *Call, a *Answer) bool {
		if c.Request.Method != http.MethodGet || a.Status != status {
			return false
		}
		before, known := Kept[sync.Map](c.Service, key).Swap(c.Request.RequestURI, a.Body)
		return known && bytes.Equal(before.([]byte), a.Body)
	}
}

var rateRows = slices.Concat(
	onEach(spec.Operations(), func(on string, op spec.Operation) Deviation {
		return fault("rate-none-on-"+on, "RATE-1", On(op).Then(noRate))
	}),
	figureRows(),
	[]Deviation{
		fault("rate-none", "RATE-1", OfOperations.Then(noRate)),
		fault("rate-none-on-400", "RATE-1", failing(400).Then(noRate)),
		fault("rate-none-on-401", "RATE-1", failing(401).Then(noRate)),
		fault("rate-none-on-404", "RATE-1", failing(404).Then(noRate)),
		fault("rate-none-on-415", "RATE-1", failing(415).Then(noRate)),
		fault("rate-none-when-filtered", "RATE-1", Filtered.Then(noRate)),
		fault("rate-none-when-repeated", "RATE-1", On(spec.ListPets).And(repeated(200)).Then(noRate)),
		fault("rate-none-when-fetched-again", "RATE-1", On(spec.GetPet).And(repeated(200)).Then(noRate)),
		fault("rate-none-now-and-then", "RATE-1", OfOperations.And(Every(7)).Then(noRate)),
		fault("rate-no-limit", "RATE-1", OfOperations.Then(Lacking(LimitHeader))),
		fault("rate-no-remaining", "RATE-1", OfOperations.Then(Lacking(RemainingHeader))),
		fault("rate-no-reset", "RATE-1", OfOperations.Then(Lacking(ResetHeader))),
		fault("rate-limit-0", "RATE-2 RATE-15?", Always.Then(Header(LimitHeader, "0"))),
		fault("rate-limit-twice", "RATE-2 RATE-15?", Always.Then(func(c *Call, _ *Answer) {
			c.Header[LimitHeader] = append(c.Header[LimitHeader], "100")
		})),
		fault("rate-remaining-above-limit", "RATE-2 RATE-15?",
			figure(RemainingHeader, func(d limiter.Decision) int64 { return d.Remaining + d.Limit + 1 })),
		fault("rate-reset-milliseconds", "RATE-3 RATE-9? RATE-15?",
			resetAs(func(t time.Time) string { return Whole(t.UnixMilli()) })),
		fault("rate-reset-seconds-left", "RATE-3 RATE-9? RATE-15?",
			Figure(ResetHeader, func(c *Call, d limiter.Decision) string { return Whole(SecondsUp(d.Reset.Sub(c.Now))) })),
		fault("rate-reset-iso", "RATE-3 RATE-9? RATE-15?",
			resetAs(func(t time.Time) string { return t.Format(time.RFC3339) })),
		fault("rate-reset-past", "RATE-3 RATE-9? RATE-15?",
			resetAs(func(t time.Time) string { return Whole(t.Add(-5 * time.Hour).Unix()) })),
		fault("rate-remaining-stands", "RATE-4 RATE-15?",
			figure(RemainingHeader, func(d limiter.Decision) int64 { return max(d.Limit-1, 0) })),
		fault("rate-remaining-rises", "RATE-4 RATE-15?",
			figure(RemainingHeader, func(d limiter.Decision) int64 { return d.Limit - d.Remaining })),
		fault("rate-limit-is-what-remains", "RATE-22 RATE-15? RATE-4?",
			figure(LimitHeader, func(d limiter.Decision) int64 { return d.Remaining })),
		fault("rate-remaining-and-reset-swapped-on-201", "RATE-2 RATE-3 RATE-4?", Created.Then(func(c *Call, _ *Answer) {
			c.Header[RemainingHeader], c.Header[ResetHeader] = c.Header[ResetHeader], c.Header[RemainingHeader]
		})),
	},
)
