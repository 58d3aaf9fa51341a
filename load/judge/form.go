package judge

import (
	"cmp"
	"time"

	"petconform/load/record"
	"petconform/spec/history"
)

// read parses a part, the body of each shape once. like has for each exchange the index of the first one with the same form.
func read(rec *record.Recording, chunk []*record.Record) (h *history.History, like []int) {
	all, parsed, first := make([]history.Exchange, len(chunk)), map[int]history.Exchange{}, map[form]int{}
	for i, r := range chunk {
		x, _ := rec.Exchange(r.N)
		one, known := parsed[r.Shape]
		if !known {
			one = history.ReadExchange(x)
			parsed[r.Shape] = one
		}
		one.Exchange = x
		all[i] = one
		like = append(like, i)
		if f, ok := formOf(r); ok {
			if at, known := first[f]; known {
				like[i] = at
			} else {
				first[f] = i
			}
		}
	}
	return history.From(rec.Meta, rec.End, all), like
}

// form is everything that a rule reads of one exchange. A day of Business has 100,000 exchanges in about 60 forms, since Reset is 0 to
// 60 s after Date.
type form struct {
	shape int
	other bool
	// limit, remaining and reset are -1, 0 or 1, the signs of these headers, or 2 if there is no such header.
	limit, remaining, reset int
	// beyond says that Remaining is larger than Limit.
	beyond bool
	// ahead is Reset minus Date, and wait is Retry-After.
	ahead, wait record.Number
	// seconds are the whole seconds until the first byte, by which Reset may be in the past.
	seconds time.Duration
}

// formOf gives the form of a request. It is false if a header is not a plain number, or if there is no Date to compare Reset with.
func formOf(r *record.Record) (form, bool) {
	sign := func(n record.Number) int {
		if !n.Known() {
			return 2
		}
		return cmp.Compare(n, 0)
	}
	f := form{shape: r.Shape, other: r.Other, limit: sign(r.Limit), remaining: sign(r.Remaining), reset: sign(r.Reset), wait: r.RetryAfter,
		seconds: r.FirstByte / time.Second}
	f.beyond = r.Remaining.Known() && r.Limit.Known() && r.Remaining > r.Limit
	if r.Reset.Known() {
		f.ahead = r.Reset - r.Date
	}
	return f, r.Header == nil && r.Date.Known()
}
