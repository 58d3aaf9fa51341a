package judge

import (
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

// breaks says which requirements a contradiction breaks: by what it is, and by the phase in which the first of its sort
// is; "" is any other phase. A phase adds one dimension to those before it: mixed several operations and connections,
// the overload requests at the same time.
var breaks = map[limiter.What]map[record.Phase][]spec.ID{
	limiter.Over:             {record.Mixed: {"RATE-11"}, record.Overload: {"RATE-14", "RATE-6"}, "": {"RATE-6"}},
	limiter.Early:            {record.Recover: {"RATE-8"}, record.Backoff: {"RATE-8"}, record.Overload: {"RATE-14"}, "": {"RATE-7"}},
	limiter.Unexplained:      {"": {"RATE-7"}},
	limiter.RefusedAfterWait: {record.Ban: {}, "": {"RATE-8"}},
	limiter.RefusedAtReset:   {record.Ban: {}, "": {"RATE-9"}},
	limiter.WholeBeforeReset: {"": {"RATE-9"}},
	limiter.RemainingHigh:    {"": {"RATE-15"}},
	limiter.RemainingLow:     {"": {"RATE-15"}},
	limiter.RemainingRises:   {"": {"RATE-15"}},
	limiter.WrongLimit:       {"": {"RATE-15"}},
	otherAnswer:              {"": {"RATE-14"}},
	serverError:              {"": {"RATE-14"}},
	inPlaceOf429:             {"": {"RATE-6"}},
	no429:                    {"": {"RATE-14"}},
}

// requirements returns what a sort of contradiction breaks whose first one is in the phase.
func requirements(what limiter.What, first record.Phase) []spec.ID {
	if ids, ok := breaks[what][first]; ok {
		return ids
	}
	return breaks[what][""]
}
