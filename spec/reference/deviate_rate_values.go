package reference

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"petconform/spec/reference/limiter"
)

// text writes one of the rate-limit headers.
type text = func(*call, limiter.Decision) string

func fixedText(s string) text { return func(*call, limiter.Decision) string { return s } }

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// badLimit, badRemaining and badReset make deviations that write one header otherwise. A load run, which compares the
// headers with what happens, may name more than the form.
func badLimit(name, suffers string, write text) Deviation {
	return Deviation{
		Name: name, Breaks: ids("RATE-2"), May: ids("RATE-15"), Suffers: suffers,
		apply: func(b *behaviour) { b.rate.limit = write },
	}
}

func badRemaining(name, suffers string, write text) Deviation {
	return Deviation{
		Name: name, Breaks: ids("RATE-2"), May: ids("RATE-15"), Suffers: suffers,
		apply: func(b *behaviour) { b.rate.remaining = write },
	}
}

func badReset(name, suffers string, write text) Deviation {
	return Deviation{
		Name: name, Breaks: ids("RATE-3"), May: ids("RATE-9", "RATE-15"), Suffers: suffers,
		apply: func(b *behaviour) { b.rate.reset = write },
	}
}

func resetAs(write func(time.Time) string) text {
	return func(_ *call, d limiter.Decision) string { return write(d.Reset) }
}

var rateValueDeviations = []Deviation{
	badLimit("rate-limit-word", "A word stands where a number was promised.", fixedText("unlimited")),
	badLimit("rate-limit-policy", "The header carries a policy, which a number parser refuses.",
		func(_ *call, d limiter.Decision) string { return whole(d.Limit) + ";w=60" }),
	badLimit("rate-limit-fraction", "Numbers from a script language come with a fraction.",
		func(_ *call, d limiter.Decision) string { return whole(d.Limit) + ".0" }),
	badLimit("rate-limit-grouped", "Digits are grouped for people.", fixedText("1,000")),
	badLimit("rate-limit-0", "A client that divides by the limit fails.", fixedText("0")),
	badLimit("rate-limit-minus-1", "Minus one stands for no limit, and nobody was told.", fixedText("-1")),
	badRemaining("rate-remaining-negative", "A client computes a negative pace.",
		func(_ *call, d limiter.Decision) string { return whole(d.Remaining - d.Limit - 1) }),
	badRemaining("rate-remaining-above-limit", "More is left than there ever was.",
		func(_ *call, d limiter.Decision) string { return whole(d.Remaining + d.Limit + 1) }),
	badRemaining("rate-remaining-word", "A word stands where a number was promised.", fixedText("many")),
	badRemaining("rate-remaining-fraction", "A bucket's level leaks out as it is.",
		func(_ *call, d limiter.Decision) string { return whole(d.Remaining) + ".37" }),
	badRemaining("rate-remaining-of-limit", "Two numbers share a header.",
		func(_ *call, d limiter.Decision) string { return whole(d.Remaining) + "/" + whole(d.Limit) }),
	{
		Name: "rate-limit-twice", Breaks: ids("RATE-2"), May: ids("RATE-15"),
		Suffers: "Gateway and service both set the header, and clients read one or the other.",
		apply: func(b *behaviour) {
			b.alter(always, func(c *call, _ *answer) {
				c.header[limitHeader] = append(c.header[limitHeader], "100")
			})
		},
	},
	badReset("rate-reset-milliseconds", "A client waits for some fifty thousand years.",
		resetAs(func(t time.Time) string { return whole(t.UnixMilli()) })),
	badReset("rate-reset-seconds-left", "A client takes seconds to wait for a time in 1970 and does not wait.",
		func(c *call, d limiter.Decision) string { return whole(secondsUp(d.Reset.Sub(c.now))) }),
	badReset("rate-reset-iso", "A date for people stands where Unix seconds were promised.",
		resetAs(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })),
	badReset("rate-reset-http-date", "An HTTP date stands where Unix seconds were promised.",
		resetAs(func(t time.Time) string { return t.UTC().Format(http.TimeFormat) })),
	badReset("rate-reset-fraction", "The time comes with a fraction, which an integer parser refuses.",
		resetAs(func(t time.Time) string { return whole(t.Unix()) + ".250" })),
	badReset("rate-reset-local-time", "The clock's time zone was added to Unix seconds: the reset was five hours ago.",
		resetAs(func(t time.Time) string { return whole(t.Add(-5 * time.Hour).Unix()) })),
	badReset("rate-reset-past", "The header tells when the window before began.",
		func(c *call, _ limiter.Decision) string { return whole(c.now.Add(-2 * time.Minute).Unix()) }),
	badReset("rate-reset-0", "Nothing was filled in.", fixedText("0")),
	badReset("rate-reset-never", "A client waits for years.",
		resetAs(func(t time.Time) string { return whole(t.AddDate(10, 0, 0).Unix()) })),
	badReset("rate-reset-in-two-days", "The reset lies beyond every limit that a plan has.",
		resetAs(func(t time.Time) string { return whole(t.Add(49 * time.Hour).Unix()) })),
	{
		Name: "rate-remaining-stands", Breaks: ids("RATE-4"), May: ids("RATE-15"),
		Suffers: "A client never sees the limit come.",
		apply: func(b *behaviour) {
			b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(max(d.Limit-1, 0)) }
		},
	},
	{
		Name: "rate-remaining-rises", Breaks: ids("RATE-4"), May: ids("RATE-15"),
		Suffers: "The header counts what was spent, not what is left.",
		apply: func(b *behaviour) {
			b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(d.Limit - d.Remaining) }
		},
	},
	{
		Name: "rate-limit-is-what-remains", Breaks: ids("RATE-22"), May: ids("RATE-15", "RATE-4"),
		Suffers: "The limit shrinks with every request; a client that sets its pace by it slows to a halt.",
		apply: func(b *behaviour) {
			b.rate.limit = func(_ *call, d limiter.Decision) string { return whole(d.Remaining) }
		},
	},
	{
		Name: "rate-remaining-of-two-servers", Breaks: ids("RATE-15"), May: ids("RATE-4"), Needs: Load,
		Suffers: "Two servers count on their own and never tell each other; what is left jumps up and down.",
		apply: func(b *behaviour) {
			var n atomic.Int64
			b.rate.remaining = func(_ *call, d limiter.Decision) string {
				return whole(max(d.Limit-1-(n.Add(1)%2)*d.Limit/2, 0))
			}
		},
	},
}
