package judge

import (
	"cmp"

	"petconform/load/record"
	"petconform/spec/history"
)

// read gives a part as the rules read it, each shape's body parsed once, and for each exchange the first one that is alike.
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

// form is all that a rule reads of one exchange: its shape, the signs of the numbers in its headers, and how they relate. A day of
// Business has 100,000 exchanges in about 60 forms, as Reset is each of 0 to 60 s ahead.
type form struct {
	shape                   int
	other                   bool
	limit, remaining, reset int // sign, or absent
	beyond                  bool
	ahead, wait             record.Number
}

// formOf is false where a header is written otherwise than as a plain number, or where there is no Date for Reset to be compared with.
func formOf(r *record.Record) (form, bool) {
	sign := func(n record.Number) int {
		if !n.Known() {
			return 2
		}
		return cmp.Compare(n, 0)
	}
	f := form{shape: r.Shape, other: r.Other, limit: sign(r.Limit), remaining: sign(r.Remaining), reset: sign(r.Reset), wait: r.RetryAfter}
	f.beyond = r.Remaining.Known() && r.Limit.Known() && r.Remaining > r.Limit
	if r.Reset.Known() {
		f.ahead = r.Reset - r.Date
	}
	return f, r.Header == nil && r.Date.Known()
}
