package judge

import (
	"fmt"

	"petconform/load/limiter"
	"petconform/load/record"
)

// sighting is one contradiction of a key.
type sighting struct {
	limiter.Contradiction
	r *record.Record
	// round names the independent case to which the sighting belongs.
	round string
}

// byOthers are the contradictions that somebody else who uses the key explains: our requests are refused, and less
// remains, because of theirs.
var byOthers = map[limiter.What]bool{limiter.Early: true, limiter.RefusedAfterWait: true, limiter.RefusedAtReset: true,
	limiter.WholeBeforeReset: true, limiter.RemainingLow: true}

// leastRounds is how many independent rounds a finding needs: 2, since one may be a chance. A server error needs none to
// confirm it.
func leastRounds(what limiter.What) int {
	if what == serverError {
		return 1
	}
	return 2
}

// certain reports whether sightings of one sort are a finding: they are in two independent rounds, no clock jumped near
// them, and nobody else who uses the key explains them. If not, it returns the reason.
func (v *view) certain(what limiter.What, all []sighting) (sure bool, why string) {
	rounds, disturbed := map[string]bool{}, false
	for _, s := range all {
		if v.disturbed(s.r.Sent, s.r.Ended()) {
			disturbed = true
			continue
		}
		rounds[s.round] = true
	}
	others := &v.minute.Others
	switch {
	case what == limiter.Unexplained:
		return false, "the plan itself was kept"
	case byOthers[what] && others.At >= 0:
		return false, v.whoElse()
	case len(rounds) < leastRounds(what) && disturbed:
		return false, "a clock jumped meanwhile"
	case len(rounds) < leastRounds(what):
		return false, "it was only once"
	case byOthers[what] && others.Unknown != "":
		return false, "it can't be told whether someone else used the key: " + others.Unknown
	}
	return true, ""
}

// whoElse names the response that shows that someone else used the key, or says that none does, or that it can't be
// told.
func (v *view) whoElse() string {
	switch others := v.minute.Others; {
	case others.At >= 0:
		return fmt.Sprintf("someone else used the key meanwhile, or the target has more than one counter: X-RateLimit-Remaining shows requests that are not the run's, first at exchange %d",
			v.own[others.At].N)
	case others.Unknown != "":
		return "it can't be told whether someone else used the key: " + others.Unknown
	}
	return "nobody else used the key"
}
