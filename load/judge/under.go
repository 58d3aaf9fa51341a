package judge

import (
	"petconform/load/record"
	"petconform/spec"
)

// under judges that no request is refused at just under the plan's rate (RATE-7), which is inconclusive if the sender
// was too slow.
func (v *view) under() outcome {
	var o outcome
	sent := v.of(record.Under, 0, record.Spend)
	if len(sent) == 0 {
		return o
	}
	v.withinPlan(&o, record.Under)
	if len(o.findings) == 0 && len(o.unsure) == 0 {
		v.rateKept(&o)
	}
	o.exchanges = append(o.exchanges, sent[0].N, sent[len(sent)-1].N)
	return o.settle("RATE-7")
}

// leastRate is the part of the plan's rate at which the sender must have sent: 3/4.
const leastRate = 0.75

// rateKept adds the rate of the fastest round from a fresh allowance to the evidence. RATE-7 is inconclusive if it is
// below leastRate.
func (v *view) rateKept(o *outcome) {
	best, most, limited := 0.0, 0, false
	for _, n := range v.rounds(record.Under) {
		round := v.of(record.Under, n, record.Spend)
		if n >= record.SteadyRound || len(round) < 2 {
			continue
		}
		span := round[len(round)-1].Sent - round[0].Sent
		if got := float64(len(round)-1) / (float64(span) / float64(v.window)); got > best {
			best, most = got, len(round)
		}
		limited = limited || round[len(round)-1].Limited()
	}
	if best < leastRate*float64(v.limit) && !limited {
		o.doubt("RATE-7", "the sender was too slow: it sent %s requests a minute instead of just under %s",
			spec.Number(int(best)), spec.Number(v.limit))
	}
	o.show("%s at %s a minute without an early 429", spec.Count(most, "request"), spec.Number(int(best)))
}
