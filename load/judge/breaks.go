package judge

import (
	"fmt"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// What the judge finds beside limiter's contradictions.
const (
	// otherAnswer is neither an acceptance nor a 429, and serverError such an answer with a status of 500 or more.
	// inPlaceOf429 is one to a request beyond the plan, where no 429 came.
	otherAnswer  limiter.What = "another answer"
	serverError  limiter.What = "a server error"
	inPlaceOf429 limiter.What = "another answer in the place of a 429"
	// no429 is an overload that accepted more than the plan, and answered no request 429.
	no429 limiter.What = "no 429 under overload"
)

// meaning is what a contradiction of some sort means.
type meaning struct {
	// breaks are the requirements that it breaks, by the phase in which the first of its sort is; "" is any other phase.
	// A phase adds one dimension to those before it: mixed several operations and connections, the overload requests at
	// the same time.
	breaks map[record.Phase][]spec.ID
	// byOthers says that somebody else who uses the key explains it: our requests are refused, and less remains, because
	// of theirs.
	byOthers bool
	// each says that each one is a case, independent of the others; else those of one round are one case.
	each bool
	// once says that one case is a finding. Others need two, since one may be a chance.
	once bool
}

var meanings = map[limiter.What]meaning{
	limiter.Over: {breaks: map[record.Phase][]spec.ID{record.Mixed: {"RATE-11"}, record.Overload: {"RATE-14", "RATE-6"}, "": {"RATE-6"}}},
	limiter.Early: {breaks: map[record.Phase][]spec.ID{record.Recover: {"RATE-8"}, record.Backoff: {"RATE-8"}, record.Overload: {"RATE-14"}, "": {"RATE-7"}},
		byOthers: true},
	limiter.Unexplained:      {breaks: always("RATE-7")},
	limiter.RefusedAfterWait: {breaks: map[record.Phase][]spec.ID{record.Ban: {}, "": {"RATE-8"}}, byOthers: true, each: true},
	limiter.RefusedAtReset:   {breaks: map[record.Phase][]spec.ID{record.Ban: {}, "": {"RATE-9"}}, byOthers: true, each: true},
	limiter.WholeBeforeReset: {breaks: always("RATE-9"), byOthers: true, each: true},
	limiter.RemainingHigh:    {breaks: always("RATE-15")},
	limiter.RemainingLow:     {breaks: always("RATE-15"), byOthers: true},
	limiter.RemainingRises:   {breaks: always("RATE-15")},
	limiter.WrongLimit:       {breaks: always("RATE-15"), each: true},
	otherAnswer:              {breaks: always("RATE-14"), each: true},
	serverError:              {breaks: always("RATE-14"), each: true, once: true},
	inPlaceOf429:             {breaks: always("RATE-6")},
	no429:                    {breaks: always("RATE-14")},
}

func always(id spec.ID) map[record.Phase][]spec.ID { return map[record.Phase][]spec.ID{"": {id}} }

// requirements returns what a sort of contradiction breaks whose first one is in the phase.
func requirements(what limiter.What, first record.Phase) []spec.ID {
	of := meanings[what].breaks
	if ids, ok := of[first]; ok {
		return ids
	}
	return of[""]
}

// sighting is one contradiction of a key.
type sighting struct {
	limiter.Contradiction
	r *record.Record
}

// round names the round of a sighting.
func round(r *record.Record) string { return fmt.Sprint(r.Phase, r.Round) }

// doubt returns the reason why sightings of one sort are no finding, or "" if they are one: they are in two independent
// cases, no clock jumped near them, and nobody else who uses the key explains them.
func (v *View) doubt(what limiter.What, all []sighting) string {
	means, least := meanings[what], 2
	if means.once {
		least = 1
	}
	cases, disturbed := map[string]bool{}, false
	for _, s := range all {
		switch {
		case v.disturbed(s.r.Sent, s.r.Ended()):
			disturbed = true
		case means.each:
			cases[fmt.Sprint(s.At)] = true
		default:
			cases[round(s.r)] = true
		}
	}
	others := &v.minute.Others
	switch {
	case what == limiter.Unexplained:
		return "the plan itself was kept"
	case means.byOthers && others.At >= 0:
		return v.whoElse()
	case len(cases) < least && disturbed:
		return "a clock jumped meanwhile"
	case len(cases) < least:
		return "it was only once"
	case means.byOthers && !others.None():
		return v.whoElse()
	}
	return ""
}

// whoElse names the response that shows that someone else used the key, or says that none does, or that it can't be
// told.
func (v *View) whoElse() string {
	switch others := v.minute.Others; {
	case others.At >= 0:
		return fmt.Sprintf("someone else used the key meanwhile, or the target has more than one counter: X-RateLimit-Remaining shows requests that are not the run's, first at exchange %d",
			v.own[others.At].N)
	case others.Unknown != "":
		return "it can't be told whether someone else used the key: " + others.Unknown
	}
	return "nobody else used the key"
}
