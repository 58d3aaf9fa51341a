package compare

import (
	"slices"

	"petconform/spec/verdict"
)

// CarryOver gives now with, for each check that fails, the first run of the chain in which it failed: the older run says since
// when a failure lasts that it has itself, so each run of a chain has to be compared only with the one before. A run that
// could not tell ends no failure; one in which the check passed does.
func CarryOver(old, now verdict.Results) verdict.Results {
	before := byID(old)
	now.Checks = slices.Clone(now.Checks)
	for i := range now.Checks {
		c := &now.Checks[i]
		since := lasting(before[c.ID], old)
		switch {
		case since != nil && (Failing(c.Verdict) || untold(c.Verdict)):
			c.FailingSince = since
		case Failing(c.Verdict):
			c.FailingSince = runOf(now)
		default:
			c.FailingSince = nil
		}
	}
	return now
}

// lasting is since when a check of the older run fails, nil when it does not, or did and has passed.
func lasting(was verdict.Check, old verdict.Results) *verdict.Since {
	switch {
	case was.FailingSince != nil && (Failing(was.Verdict) || untold(was.Verdict)):
		return was.FailingSince
	case Failing(was.Verdict):
		return runOf(old)
	}
	return nil
}

func untold(v verdict.Verdict) bool { return v == verdict.NotRun || v == verdict.Inconclusive }

func runOf(res verdict.Results) *verdict.Since {
	return &verdict.Since{Run: res.Run, Started: res.Started, Build: res.Target.Build}
}
