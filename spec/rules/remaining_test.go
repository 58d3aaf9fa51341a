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

func always(n int) func(int) int { return func(int) int { return n } }

func after(d time.Duration, xs []exchange.Exchange) []exchange.Exchange {
	for i := range xs {
		xs[i].Sent = xs[i].Sent.Add(d)
	}
	return xs
}

// asked is n requests within 0.5 s, and one some time later. The first ones show a Reset that comes 20 s after them.
func asked(n int, later time.Duration, limit int, remaining func(i int) int) []exchange.Exchange {
	xs := spent(n+1, 10*time.Millisecond, limit, remaining)
	xs[n].Sent = xs[n].Sent.Add(later)
	for i := range xs {
		xs[i].Response.Header.Set(spec.HeaderReset, fmt.Sprint(at.Add(20*time.Second+time.Duration(i/n)*time.Minute).Unix()))
		xs[i].Response.Header.Set("Date", xs[i].Sent.UTC().Format(http.TimeFormat))
	}
	return xs
}

// full shows a Reset that comes some time after each response, as a bucket does.
func full(in time.Duration, xs []exchange.Exchange) []exchange.Exchange {
	for i := range xs {
		xs[i].Response.Header.Set(spec.HeaderReset, fmt.Sprint(xs[i].Sent.Add(in).Unix()))
	}
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
		{"it stands still", asked(50, 2*time.Second, 60, always(59)), []spec.ID{"RATE-4"}},
		{"it is not late yet", asked(50, 600*time.Millisecond, 60, always(59)), []spec.ID{"RATE-23"}},
		{"it is late", asked(50, time.Second, 60, func(i int) int { return 59 - i/50*20 }), nil},
		{"it stands still, and its Reset has passed", asked(50, 23*time.Second, 60, always(40)), nil},
		{"it stands still, and leaps at its Reset", asked(50, 23*time.Second, 60, func(i int) int { return 40 + i/50*19 }), nil},
		{"it stands still until its Reset passes", append(spent(25, time.Second, 60, always(40)), after(100*time.Second, spent(1, 0, 60, always(40)))...),
			[]spec.ID{"RATE-4"}},
		{"a sliding counter gives back what it had of the window before", spent(125, 200*time.Millisecond, 1000, func(i int) int { return 325 + 2*i }), nil},
		{"it leaps before its Reset", asked(50, 2*time.Second, 60, func(i int) int { return 40 + i/50*19 }), []spec.ID{"RATE-4"}},
		{"it leaps, and may be of the window before", asked(50, 0, 60, func(i int) int { return 5 + i/30*30 }), []spec.ID{"RATE-23"}},
		{"it rises", asked(50, 2*time.Second, 60, func(i int) int { return i }), []spec.ID{"RATE-4"}},
		{"it stands at the limit", asked(50, 2*time.Second, 60, always(60)), []spec.ID{"RATE-23"}},
		{"it is always 0", asked(80, 2*time.Second, 1000, always(0)), []spec.ID{"RATE-4"}},
		{"it stands still, and few were answered long before", append(asked(4, 0, 60, always(59)),
			after(2*time.Second, spent(50, 10*time.Millisecond, 60, always(59)))...), []spec.ID{"RATE-23"}},
		{"a bucket refills as fast as it is spent", full(20*time.Second, spent(50, time.Second, 60, always(59))), nil},
		{"a plan is spent as fast, and Reset stands still", spent(25, time.Second, 60, always(59)), []spec.ID{"RATE-4"}},
		{"a very large plan stays put", spent(50, time.Millisecond, 1_000_000, always(1_000_000)), nil},
		{"it rises by one on a plan that refills as fast, which a load shows", spent(50, 10*time.Millisecond, 60_000, func(i int) int { return i }), nil},
		{"a large bucket refills", spent(50, time.Millisecond, 1_000_000, func(i int) int { return 500_000 + 16*i }), nil},
		{"a large bucket refills, at times by one", spent(50, time.Millisecond, 120_000, func(i int) int { return 500 + i + i/9 }), nil},
		{"it stands at the limit, and a request was refused", append(asked(50, 2*time.Second, 60, always(60)), refused(60)), []spec.ID{"RATE-4"}},
		{"it stands at the limit, and another limit refused a request", append(asked(50, 2*time.Second, 60, always(60)), refused(1000)),
			[]spec.ID{"RATE-23"}},
		{"too few requests to tell", spent(4, time.Millisecond, 60, always(59)), nil},
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
	xs := spent(50, 10*time.Millisecond, 60, always(59))
	for i := range xs {
		xs[i].N = i + 1
	}
	h := history.Of(&exchange.Recording{Meta: exchange.Meta{Target: "http://host/v1", Patience: 20 * time.Second}, Exchanges: xs})
	checks, _ := rules.Judge(rules.All(), h)
	for id, want := range map[string]string{
		"remaining-falls": "did not go below 59 of 60, and the last response came too soon after the others; a counter may be 20s late",
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
