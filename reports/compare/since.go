package compare

import (
	"slices"

	"petconform/spec/verdict"
)

// CarryOver returns now with Check.FailingSince set for each check that fails: the first run in which it failed, or
// that of the older run if it failed there too. So each run of a chain has to be compared only with the one before. A
// run in which the check passed ends the series; one in which it was inconclusive or not run does not.
func CarryOver(old, now verdict.Results) verdict.Results {
	now.Checks = slices.Clone(now.Checks)
	for i := range now.Checks {
		c := &now.Checks[i]
		was, _ := old.Check(c.ID)
		since := lasting(was, old)
		switch {
		case since != nil && (c.Verdict.Failing() || undecided(c.Verdict)):
			c.FailingSince = since
		case c.Verdict.Failing():
			c.FailingSince = runOf(now)
		default:
			c.FailingSince = nil
		}
	}
	return now
}

// lasting returns the first run of the series of failures that includes the older run; nil if there is no such series.
func lasting(was verdict.Check, old verdict.Results) *verdict.Since {
	switch {
	case was.FailingSince != nil && (was.Verdict.Failing() || undecided(was.Verdict)):
		return was.FailingSince
	case was.Verdict.Failing():
		return runOf(old)
	}
	return nil
}

func undecided(v verdict.Verdict) bool { return v == verdict.NotRun || v == verdict.Inconclusive }

func runOf(res verdict.Results) *verdict.Since {
	return &verdict.Since{Run: res.Run, Started: res.Started, Build: res.Target.Build}
}
