package judge

import "petconform/load/record"

// headers compares the headers with what was accepted and refused (RATE-15, RATE-4, RATE-9).
func (v *view) headers() outcome {
	var o outcome
	right := v.figure(&o)
	var rules []func(*outcome)
	if v.exact() {
		rules = append(rules, v.remainsWhenRefused, v.risesWithinFill, v.leftAndServed)
	}
	for _, rule := range append(rules, v.countsUp, v.changing) {
		if !o.failed("RATE-15") {
			rule(&o)
		}
	}
	if right > 0 && len(o.findings) == 0 && len(o.unsure) == 0 {
		o.kept("RATE-15")
	}
	v.neverFalls(&o)
	if !o.failed("RATE-15") && !o.failed("RATE-4") {
		v.backBeforeReset(&o)
	}
	return o
}

// limitsApply reports whether a 429 showed that the plan's limit applies to these operations.
func (v *view) limitsApply() bool { return len(v.firstRefusals(record.Fill)) > 0 }
