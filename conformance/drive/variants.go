package drive

import (
	"petconform/conformance/check"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Variants judges recordings that differ from a base recording in a few exchanges, with the same results as JudgeRecording. It
// parses the other exchanges only once, and so judges thousands of variants a second. It may be used from several goroutines.
type Variants struct {
	history  *history.History
	subjects []Subject
}

// NewVariants reads the recording that the others are variants of.
func NewVariants(base *exchange.Recording) *Variants {
	v := &Variants{history: history.Of(base), subjects: planned(base)}
	for i, s := range v.subjects {
		if s.rule != nil {
			read := rules.NewVariants([]rules.Rule{*s.rule}, v.history)
			v.subjects[i].Judge = func(h *history.History) check.Judgement { return ruled(read.Judge(h)) }
		}
	}
	return v
}

// Judge judges rec, which differs from the base in the exchanges at the given places only.
func (v *Variants) Judge(rec *exchange.Recording, changed ...int) verdict.Results {
	return judge(v.subjects, rec, v.history.With(rec, changed...))
}
