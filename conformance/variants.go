package conformance

import (
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Variants judges recordings that differ from a base recording in a few exchanges, with the same results as JudgeRecording. It
// parses the other exchanges only once, and so judges thousands of variants a second. It may be used from several goroutines.
type Variants struct {
	history *history.History
	rules   *rules.Variants
}

// NewVariants reads the recording that the others are variants of.
func NewVariants(base *exchange.Recording) *Variants {
	h := history.Of(base)
	return &Variants{history: h, rules: rules.NewVariants(plannedRules(base, rules.All()), h)}
}

// Judge judges rec, which differs from the base in the exchanges at the given places only.
func (v *Variants) Judge(rec *exchange.Recording, changed ...int) verdict.Results {
	h := v.history.With(rec, changed...)
	return judgeHistory(rec, h, func() ([]verdict.Check, []verdict.Observation) { return v.rules.Judge(h) })
}
