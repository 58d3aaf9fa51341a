package judge

// headers compares the headers with what was accepted and refused (RATE-15, RATE-9). A rule for all responses judges
// that Remaining falls (RATE-4).
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
	if !o.failed("RATE-15") {
		v.backBeforeReset(&o)
	}
	return o
}
