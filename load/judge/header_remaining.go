package judge

import (
	"fmt"

	"petconform/load/record"
	"petconform/spec"
)

// remainsWhenRefused judges that Remaining is 0 when a request is refused.
func (v *view) remainsWhenRefused(o *outcome) {
	var wrong []*record.Record
	of := 0
	for _, r := range v.firstRefusals(record.Fill) {
		if v.ofMinute(r) {
			if of++; r.Remaining > 0 {
				wrong = append(wrong, r)
			}
		}
	}
	if len(wrong) >= 2 {
		o.fail("RATE-15", wrong[0], "X-RateLimit-Remaining of the first 429 of a fill", "0, since no request of the minute remains",
			fmt.Sprintf("%d; not 0 in %d of %d fills", wrong[0].Remaining, len(wrong), of))
	} else if len(wrong) == 1 {
		o.doubt("RATE-15", "one 429 has X-RateLimit-Remaining %d (exchange %d); the others have 0", wrong[0].Remaining, wrong[0].N)
	}
}

// mostRises is how often Remaining may rise by more than a Bucket gains within 1/riseSpan of a window: 8 times in 7.5 s
// of a minute. It rises at the end of a window, and with each step of a timer that refills a bucket every second.
const mostRises, riseSpan = 8, 8

// risesWithinFill judges that Remaining goes down in the first 1/riseSpan of a window of each fill. Requests that
// overlap are not compared.
func (v *view) risesWithinFill(o *outcome) {
	var first []*record.Record // of each fill with too many rises, the first one
	for _, b := range v.bursts(record.Fill) {
		var rises []*record.Record
		for i := 1; i < len(b.accepted); i++ {
			x, y := b.accepted[i-1], b.accepted[i]
			if y.Received()-b.first().Sent > v.window/riseSpan {
				break
			}
			if y.Sent >= x.Ended() && v.ofMinute(x) && v.ofMinute(y) && float64(y.Remaining-x.Remaining) > v.perWindow(y.Received()-x.Sent) {
				rises = append(rises, y)
			}
		}
		if len(rises) > mostRises {
			first = append(first, rises[0])
		}
	}
	if len(first) >= 2 {
		o.fail("RATE-15", first[0], spec.HeaderRemaining+" within a fill", "one less with each request",
			fmt.Sprintf("up and down, first up to %d, in %d fills", first[0].Remaining, len(first)))
	}
}
