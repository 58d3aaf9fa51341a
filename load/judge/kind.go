package judge

import (
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// kind infers how the target counts. It is an observation (RATE-18): no verdict depends on it.
func (v *view) kind() (kind, evidence string) {
	bursts := v.bursts(record.Fill)
	var b *burst
	for _, one := range bursts {
		if one.refused != nil {
			b = one
			break
		}
	}
	if b == nil {
		return "none", "no 429 came"
	}
	wait, ok := v.wait(b.refused)
	if !ok {
		return "unknown", "the 429 says no time that can be read"
	}
	interval := v.window / time.Duration(v.limit)
	if wait <= 2*interval+time.Second && wait < v.window/2 {
		text := fmt.Sprintf("Retry-After after a burst is %s, and one request falls to every %s", secs(wait), secs(interval))
		if len(v.beyond(bursts)) > 0 {
			text += "; a slow fill got what is refilled meanwhile"
		}
		return "token bucket or GCRA", text
	}
	return v.windowKind(b, wait)
}

// windowKind tells windows on the clock from those that begin with a request. What a log or a counter remembers shows in
// what is left after the wait.
func (v *view) windowKind(b *burst, wait time.Duration) (kind, evidence string) {
	first := b.first()
	age := b.refused.Received() - first.Sent
	rest := v.window - age
	full := false
	for _, m := range firstOf(v.comebacks()) {
		if m.refused == b.refused && m.next.Accepted() && v.telling(m.next) {
			full = m.next.Remaining >= m.next.Limit-1
		}
	}
	text := fmt.Sprintf("Retry-After is %s, %s after the first request of the window", secs(wait), secs(age))
	near := func(d time.Duration) bool { return wait >= d-time.Second && wait <= d+time.Second }
	switch {
	case near(rest) && full:
		return "fixed window from the first request, or sliding log", text + "; after it the whole limit is there again"
	case near(rest):
		return "sliding log", text + "; after it not all is there again"
	case full:
		return "fixed window on the clock", text + "; after it the whole limit is there again"
	}
	return "sliding counter", text + "; the limit comes back little by little"
}

func firstOf(byWait, byReset []met) []met { return append(byWait, byReset...) }

// figureShown says which figure the headers speak of.
func (v *view) figureShown() string {
	minute, day, other := 0, 0, 0
	for _, r := range v.own {
		switch {
		case !r.Limit.Known():
		case int64(r.Limit) == v.lane.PerMinute:
			minute++
		case int64(r.Limit) == v.lane.PerDay:
			day++
		default:
			other++
		}
	}
	switch {
	case minute+day+other == 0:
		return "nothing"
	case minute > 0 && day > 0:
		return "minute and day"
	case minute > 0:
		return "minute"
	case day > 0:
		return "day"
	}
	return "other"
}

// observe tells what the interface leaves open.
func (v *view) observe() []verdict.Observation {
	applies := "they apply"
	if len(v.bursts(record.Fill)) > 0 {
		if kind, _ := v.kind(); kind == "none" {
			applies = "no request was ever refused"
		}
	}
	kind, _ := v.kind() // what it rests on is in the report; times in it would make every run another observation
	plan := v.lane.Plan
	return []verdict.Observation{
		{Requirement: "RATE-17", Key: plan + ": do the plan's limits apply", Value: applies},
		{Requirement: "RATE-18", Key: plan + ": kind of limiter", Value: kind},
		{Requirement: "RATE-18", Key: plan + ": figure in the headers", Value: v.figureShown()},
	}
}
