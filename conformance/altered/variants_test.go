package altered

import (
	"petconform/conformance/drive"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Variants judges recordings that differ from a base recording in a few exchanges, with the same results as drive.JudgeRecording. It
// parses the other exchanges only once, and so judges thousands of variants a second. It may be used from several goroutines.
type Variants struct {
	history  *history.History
	subjects []drive.Subject
}

// NewVariants reads the recording that the others are variants of.
func NewVariants(base *exchange.Recording) *Variants {
	v := &Variants{history: history.Of(base), subjects: drive.Planned(base)}
	for i, s := range v.subjects {
		if s.Rule != nil {
			v.subjects[i] = drive.OfRule(remembering(*s.Rule, v.history))
		}
	}
	return v
}

// remembering returns the rule with its readings of the base's exchanges kept: a reading depends on one exchange alone.
func remembering(r rules.Rule, base *history.History) rules.Rule {
	type kept struct {
		history.Exchange
		rules.Reading
	}
	readings, read := map[int]kept{}, r.Each
	if read == nil {
		return r
	}
	for _, x := range base.All {
		readings[x.N] = kept{x, read(x)}
	}
	r.Each = func(x history.Exchange) rules.Reading {
		if k := readings[x.N]; x.Same(k.Exchange) {
			return k.Reading
		}
		return read(x)
	}
	return r
}

// Judge judges rec, which differs from the base in the exchanges at the given places only.
func (v *Variants) Judge(rec *exchange.Recording, changed ...int) verdict.Results {
	return drive.Judge(v.subjects, rec, v.history.With(rec, changed...))
}
