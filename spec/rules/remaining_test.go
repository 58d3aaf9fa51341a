package rules_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// spent is n accepted requests, one every step, with what Remaining says after each.
func spent(n int, step time.Duration, limit int, remaining func(i int) int) []exchange.Exchange {
	xs := make([]exchange.Exchange, n)
	for i := range xs {
		xs[i] = answer(200, `[]`, fmt.Sprintf("X-RateLimit-Limit: %d", limit), fmt.Sprintf("X-RateLimit-Remaining: %d", remaining(i)))
		xs[i].Sent = at.Add(time.Duration(i) * step)
	}
	return xs
}

// after is what comes later.
func after(d time.Duration, xs []exchange.Exchange) []exchange.Exchange {
	for i := range xs {
		xs[i].Sent = xs[i].Sent.Add(d)
	}
	return xs
}

// renewing is 50 requests within 0.5 s that all say 40 of 60, and one 3 s later that says 59. The Reset that the 50 show is
// 1 s and late after the first of them.
func renewing(late time.Duration) []exchange.Exchange {
	xs := append(spent(50, 10*time.Millisecond, 60, func(int) int { return 40 }), after(3*time.Second, spent(1, 0, 60, func(int) int { return 59 }))...)
	for i := range xs[:50] {
		xs[i].Response.Header.Set(spec.HeaderReset, fmt.Sprint(at.Add(time.Second+late).Unix()))
	}
	xs[50].Response.Header.Set("Date", xs[50].Sent.UTC().Format(http.TimeFormat))
	return xs
}

// refused is a 429 of the limit.
func refused(limit int) exchange.Exchange {
	return tooMany(fmt.Sprintf("X-RateLimit-Limit: %d", limit), "X-RateLimit-Remaining: 0", "Retry-After: 1")
}

func TestRemainingFalls(t *testing.T) {
	for _, c := range []struct {
		name string
		xs   []exchange.Exchange
		want []spec.ID
	}{
		{"it does", spent(50, 10*time.Millisecond, 60, func(i int) int { return 59 - i }), nil},
		{"it stands still", spent(50, 30*time.Millisecond, 60, func(int) int { return 59 }), []spec.ID{"RATE-4"}},
		{"it stands still for less than a second", spent(50, 10*time.Millisecond, 60, func(int) int { return 59 }), []spec.ID{"RATE-23"}},
		{"it stands at the limit", spent(50, 30*time.Millisecond, 60, func(int) int { return 60 }), []spec.ID{"RATE-23"}},
		{"it moves once a second", spent(50, 30*time.Millisecond, 60, func(i int) int { return 59 - i/34*20 }), nil},
		{"it rises", spent(50, 10*time.Millisecond, 60, func(i int) int { return i }), []spec.ID{"RATE-4"}},
		{"it is always 0", spent(80, 30*time.Millisecond, 1000, func(int) int { return 0 }), []spec.ID{"RATE-4"}},
		{"it stands still for most of a second and a half, and few were answered before", append(spent(4, time.Millisecond, 60, func(int) int { return 59 }),
			after(time.Second, spent(50, 10*time.Millisecond, 60, func(int) int { return 59 }))...), []spec.ID{"RATE-23"}},
		{"it stands still, and is full when the Reset has passed", renewing(0), nil},
		{"it stands still, and rises before the Reset", renewing(time.Minute), []spec.ID{"RATE-4"}},
		{"a bucket refills as fast as it is spent", spent(50, time.Second, 60, func(int) int { return 59 }), nil},
		{"a very large plan stays put", spent(50, time.Millisecond, 1_000_000, func(int) int { return 1_000_000 }), nil},
		{"it rises by one on a plan that refills as fast, which a load shows", spent(50, 10*time.Millisecond, 60_000, func(i int) int { return i }), nil},
		{"a large bucket refills", spent(50, time.Millisecond, 1_000_000, func(i int) int { return 500_000 + 16*i }), nil},
		{"a large bucket refills, at times by one", spent(50, time.Millisecond, 120_000, func(i int) int { return 500 + i + i/9 }), nil},
		{"it stands at the limit, and a request was refused", append(spent(50, 30*time.Millisecond, 60, func(int) int { return 60 }), refused(60)),
			[]spec.ID{"RATE-4"}},
		{"it stands at the limit, and another limit refused a request", append(spent(50, 30*time.Millisecond, 60, func(int) int { return 60 }), refused(1000)),
			[]spec.ID{"RATE-23"}},
		{"too few requests to tell", spent(4, time.Millisecond, 60, func(int) int { return 59 }), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(t, c.xs...); !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

// A counter that may still be late is told with what the run sent, and with the reason why it breaks nothing.
func TestALateRemainingIsTold(t *testing.T) {
	xs := spent(50, 10*time.Millisecond, 60, func(int) int { return 59 })
	for i := range xs {
		xs[i].N = i + 1
	}
	h := history.Of(&exchange.Recording{Meta: exchange.Meta{Target: "http://host/v1", Patience: 3 * time.Second}, Exchanges: xs})
	checks, _ := rules.Judge(rules.All(), h)
	for id, want := range map[string]string{
		"remaining-falls": "stayed at 59 of 60, and the last response came too soon after the others; a counter may be 3s late",
		"remaining-moves": "though 50 requests were accepted within 49",
	} {
		c := checks[slices.IndexFunc(checks, func(c verdict.Check) bool { return c.ID == id })]
		told := c.Reason
		for _, f := range c.Findings {
			told += f.Actual
		}
		if !strings.Contains(told, want) {
			t.Errorf("%s says %q, want %q", id, told, want)
		}
	}
}
