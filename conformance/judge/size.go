package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

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

// draftLimit finds the limit in the headers of the IETF's drafts, which many limiters send without X-: "60", "limit=60,
// remaining=59", or a policy like "60;w=60" and "default";q=60;w=60.
var draftLimit = regexp.MustCompile(`(?:^|limit=|q=)\s*(\d{1,18})\b`)

// LimitOf returns the X-RateLimit-Limit of a response, or the limit of a header without X-, since the limiter that sends
// it refuses requests too. Where that is a plan's day, LimitOf returns the plan's minute, by which the run is paced: 990
// requests of 10,000 a day take three minutes.
func LimitOf(x exchange.Exchange) (limit int64, shown bool) {
	if x.Response == nil {
		return 0, false
	}
	limit, shown = exchange.Number(x.Response.Header, spec.HeaderLimit)
	for _, name := range []string{"RateLimit-Limit", "RateLimit", "RateLimit-Policy"} {
		if found := draftLimit.FindStringSubmatch(x.Response.Header.Get(name)); !shown && found != nil {
			limit, _ = strconv.ParseInt(found[1], 10, 64) // of at most 18 digits
			shown = true
		}
	}
	day := func(p spec.Plan) bool { return p.PerDay > 0 && p.PerDay == limit && limit != spec.Business.PerMinute }
	if i := slices.IndexFunc(spec.Plans(), day); i >= 0 {
		limit = spec.Plans()[i].PerMinute
	}
	return limit, shown
}

// SizeOf says which size a run of everything has, why, and what a full run takes; "" for a run that is a part. sends is
// how many requests the run sends.
func SizeOf(rec *exchange.Recording, sends string) string {
	m := rec.Meta
	if len(rec.Exchanges) == 0 || m.Filtered || m.Kind != "check" {
		return ""
	}
	limit, shown := LimitOf(rec.Exchanges[0])
	why := ""
	switch {
	case m.Fitted && m.Deep && !shown:
		why = ", since the target shows no limit"
	case m.Fitted && shown:
		why = ", since the key may send " + windowOf(limit)
	}
	if m.Deep {
		return fmt.Sprintf("a full run of %s requests%s", sends, why)
	}
	full := plan.FullRequests
	return fmt.Sprintf("a quick run of %s requests%s; a full one (--deep) sends about %s%s", sends, why, spec.Number(full), takes(limit, full))
}

// windowOf names what a limit counts in, where it is that of a plan.
func windowOf(limit int64) string {
	for _, p := range spec.Plans() {
		if limit == p.PerMinute {
			return spec.Number(limit) + " a minute"
		}
	}
	return spec.Number(limit) + " in a window"
}

// takes says how long a full run takes on a plan, and what it leaves of the day.
func takes(limit int64, requests int) string {
	for _, p := range spec.Plans() {
		if limit != p.PerMinute || limit == 0 {
			continue
		}
		minutes := " and takes " + spec.Count((requests+int(limit)-1)/int(limit), "minute")
		if int64(requests)*10 > p.PerDay*9 {
			minutes += " and the whole day's " + spec.Number(p.PerDay)
		}
		return minutes
	}
	return ""
}
