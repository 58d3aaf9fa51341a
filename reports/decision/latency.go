package decision

import (
	"fmt"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// latency compares the times of accepted requests of each plan with a limit. They count from when each request was due:
// a frozen target puts off requests, which would not be slow if their times were counted from their sending.
func latency(f Facts) Gate {
	limit, is := f.Policy.P99, verdict.Passed
	if limit <= 0 {
		return unweighed("no limit was set with --p99", false)
	} else if len(f.Load.Plans) == 0 {
		return unweighed("no plan was loaded", true)
	}
	worse := func(v verdict.Verdict) {
		if is != verdict.Failed {
			is = v
		}
	}
	said := []string{"at most " + limit.String()}
	for _, p := range f.Load.Plans {
		took, lag := inTime(p.DueMS.P99), inTime(p.LagMS.P99)
		text := fmt.Sprintf("%s %s (p99 of %s accepted)", p.Plan, took, spec.Number(p.DueMS.N))
		switch {
		case lag > limit/lagBudget:
			worse(verdict.Inconclusive)
			text = fmt.Sprintf("%s: petconform itself sent 1 of 100 requests %s late or later; run it on a machine that is less busy",
				p.Plan, lag.Round(time.Millisecond))
		case p.DueMS.N == 0:
			worse(verdict.Inconclusive)
			text = p.Plan + ": no request was accepted under load"
		case took > limit:
			worse(verdict.Failed)
		}
		said = append(said, text)
	}
	return required(is, "%s", strings.Join(said, "; "))
}

func inTime(ms float64) time.Duration {
	return time.Duration(ms * float64(time.Millisecond)).Round(10 * time.Microsecond)
}
