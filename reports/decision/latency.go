package decision

import (
	"math"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// p99 gives the operation that takes longest at its 99th percentile, over answers to a valid key that were not refused for
// the rate.
func p99(rec *exchange.Recording) (worst time.Duration, op spec.Operation, n int) {
	if rec == nil {
		return 0, "", 0
	}
	times := map[spec.Operation][]time.Duration{}
	for _, x := range rec.Exchanges {
		if x.Answered() && x.Named() && x.Auth.Valid() && !x.Limited() {
			times[x.Operation] = append(times[x.Operation], x.Done)
		}
	}
	for _, name := range spec.Operations() {
		all := times[name]
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		if at := all[int(math.Ceil(0.99*float64(len(all))))-1]; at >= worst {
			worst, op, n = at, name, len(all)
		}
	}
	return worst, op, n
}
