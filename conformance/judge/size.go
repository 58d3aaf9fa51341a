package judge

import (
	"fmt"
	"slices"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Affords reports whether the key may send a full run of so many requests: they are less than half of what it may send
// in a window, or the response to the first request shows no limit.
func Affords(first exchange.Exchange, requests int) bool {
	limit, shown := LimitOf(first)
	return first.Answered() && !first.Limited() && (!shown || int64(requests) < limit/2)
}

// LimitOf returns the X-RateLimit-Limit of a response. Where that is a plan's day, LimitOf returns the plan's minute, by
// which the run is paced: 990 requests of 10,000 a day take three minutes. 1,000 is the day of Free and the minute of
// Business, and is taken for the minute.
func LimitOf(x exchange.Exchange) (limit int64, shown bool) {
	if x.Response == nil {
		return 0, false
	}
	limit, shown = exchange.Number(x.Response.Header, spec.HeaderLimit)
	day := func(p spec.Plan) bool { return p.PerDay > 0 && p.PerDay == limit && limit != spec.Business.PerMinute }
	if i := slices.IndexFunc(spec.Plans(), day); i >= 0 {
		limit = spec.Plans()[i].PerMinute
	}
	return limit, shown
}

// sizeOf says which size a run of everything has, why, and what a full run takes; "" for a run that is a part.
func sizeOf(rec *exchange.Recording) string {
	m := rec.Meta
	if len(rec.Exchanges) == 0 || m.Filtered || m.Kind != "check" {
		return ""
	}
	sends := spec.Count(len(rec.Exchanges), "request")
	limit, shown := LimitOf(rec.Exchanges[0])
	window, full, takes, why := "in a window", int64(plan.FullRequests), "", ""
	for _, p := range spec.Plans() {
		if limit == p.PerMinute && limit > 0 {
			window = "a minute"
			takes = fmt.Sprintf(" and takes %d of the target's minutes", (full+limit-1)/limit) // which are scaled on some
			if full*10 > p.PerDay*9 {
				takes += " and all " + spec.Number(p.PerDay) + " requests of a day"
			}
		}
	}
	switch {
	case m.Fitted && m.Deep && !shown:
		why = ", since the target shows no limit"
	case m.Fitted && shown:
		why = fmt.Sprintf(", since the key may send %s %s", spec.Number(limit), window)
	}
	if m.Deep {
		if rec.End != nil && rec.End.Narrowed != "" {
			why += "; " + rec.End.Narrowed
		}
		return fmt.Sprintf("a full run of %s%s", sends, why)
	}
	return fmt.Sprintf("a quick run of %s%s; a full one (--deep) sends about %s%s", sends, why, spec.Number(full), takes)
}
