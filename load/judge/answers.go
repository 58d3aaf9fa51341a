package judge

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
)

// What the judge finds beside limiter's contradictions.
const (
	// otherAnswer is neither an acceptance nor a 429, and serverError such an answer with a status of 500 or more. A 502, a
	// 503 or a 504 is another answer, since one may come from what stands in front of the service.
	otherAnswer limiter.What = "another answer"
	serverError limiter.What = "a server error"
	// InPlaceOf429 is an answer of another sort to a request beyond the plan, where no 429 came. No429 is a burst that
	// accepted more than the plan, and answered no request 429. Only phases whose Breaks has them are searched for them.
	InPlaceOf429 limiter.What = "another answer in the place of a 429"
	No429        limiter.What = "no 429"
)

// otherAnswers returns the responses that are neither a success nor a 429 while an allowance is spent, and bursts that got
// no 429. A 401 or 403 after a 429 may be a ban, a connection that was kept may be closed (RFC 9112, section 9.5), and
// the operation itself may refuse a createPet, because of an unknown category for example.
func (v *View) otherAnswers() (found []limiter.Contradiction) {
	for _, b := range v.bursts {
		if v.phase(b.phase).Breaks[No429] != nil && b.refused == nil && v.beyond(b) && !v.minute.Lawful() {
			found = append(found, limiter.Contradiction{What: No429, At: b.at[len(b.at)-1], Got: describe(b),
				About: spec.Count(len(b.at), "request") + " under overload", Want: "429 for those beyond the plan"})
		}
	}
	refused := false
	for i, r := range v.own {
		refused = refused || r.Limited()
		p := v.phase(r.Phase)
		lawful := createRefused(r) || r.Barred() && refused || r.Status == 0 && (!closed(r) || r.Reused)
		if !r.Unsure() || !p.Spends || lawful {
			continue
		}
		c := limiter.Contradiction{What: otherAnswer, At: i, About: "a request while the plan is spent",
			Want: "a success within the plan, and 429 beyond it", Got: answered(r)}
		if r.Status >= 500 && !exchange.Unavailable(r.Status) {
			c.What = serverError
		}
		found = append(found, c)
		before := func(x *record.Record) bool { return !x.Limited() && x.Sent < r.Sent && x.Received() >= r.Sent-v.window }
		if p.Breaks[InPlaceOf429] != nil && !limited(v.burstsOf(p.ID)) && count(v.own, before) >= v.limit {
			c.What, c.Want = InPlaceOf429, "429"
			c.About = fmt.Sprintf("a request beyond the plan's %s a minute", spec.Number(v.limit))
			found = append(found, c)
		}
	}
	return found
}

// closed reports whether the target closed the connection without a response.
func closed(r *record.Record) bool {
	return r.Status == 0 && r.Like.Failure != nil && r.Like.Failure.Kind == exchange.Closed
}

// createRefused reports whether r is a createPet that the operation itself refused.
func createRefused(r *record.Record) bool {
	return r.Like.Request.Method == http.MethodPost && r.Unsure() && r.Status >= 400 && r.Status < 500
}

// expectedOpen reports whether the plan is not limited, as the configuration expects.
func (v *View) expectedOpen() bool {
	return !v.rec.Settings.ExpectLimits && !slices.ContainsFunc(v.own, (*record.Record).Limited)
}
