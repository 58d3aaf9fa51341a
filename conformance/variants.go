package conformance

import (
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Variants judges recordings that differ from one in a few exchanges, thousands a second: what was not altered is not read
// again. It gives what JudgeRecording gives. It may be used from several goroutines.
type Variants struct {
	history *history.History
	checks  []Check
	rules   *rules.Variants
}

// NewVariants reads the recording that the others are variants of.
func NewVariants(base *exchange.Recording) *Variants {
	checks, ruled := plannedBy(base.Meta)
	h := history.Of(base)
	return &Variants{history: h, checks: checks, rules: rules.NewVariants(ruled, h)}
}

// Judge judges rec, which is as the base but for the exchanges at the given places.
func (v *Variants) Judge(rec *exchange.Recording, changed ...int) verdict.Results {
	return judgeHistory(rec, v.history.With(rec, changed...), v.checks, v.rules.Judge)
}
