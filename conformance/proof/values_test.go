package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"petconform/conformance/drive"
	"petconform/conformance/proof"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
)

// TestTheTableOfValues lists the requests of a quick run with the deviations that only this one finds: without it, as the
// recording is judged again, nothing that the deviation breaks is named.
func TestTheTableOfValues(t *testing.T) {
	long.Only(t, "a run for each deviation, judged once for each request that shows it")
	var mu sync.Mutex
	sole := map[string][]string{}
	_, plain := against(t, proof.Service{})
	each(t, proof.Standard(), func(d deviations.Deviation) string { return d.Name }, func(t *testing.T, d deviations.Deviation) {
		r, rec := against(t, proof.Service{Deviations: []string{d.Name}})
		cited := map[string]bool{}
		for _, c := range r.Checks {
			for _, f := range c.Findings {
				for _, k := range f.Cases {
					for _, n := range k.Exchanges {
						cited[requestOf(rec, n)] = true
					}
				}
			}
		}
		for request := range cited {
			less := *rec
			less.Exchanges = slices.DeleteFunc(slices.Clone(rec.Exchanges), func(x exchange.Exchange) bool { return x.Check+": "+x.Step == request })
			if row := proof.Weigh(d, drive.JudgeRecording(&less)); len(row.Missed) == len(d.Breaks) {
				mu.Lock()
				sole[request] = append(sole[request], d.Name)
				mu.Unlock()
			}
		}
	})
	for _, x := range plain.Exchanges {
		request := x.Check + ": " + x.Step
		if sole[request] == nil {
			sole[request] = []string{}
		}
	}
	var rows []string
	for _, request := range slices.Sorted(maps.Keys(sole)) {
		slices.Sort(sole[request])
		rows = append(rows, fmt.Sprintf("%3d %s: %s", len(sole[request]), request, strings.Join(sole[request], " ")))
	}
	t.Logf("requests, and the deviations that only this one finds:\n%s", strings.Join(rows, "\n"))
}

func requestOf(rec *exchange.Recording, n int) string {
	i := slices.IndexFunc(rec.Exchanges, func(x exchange.Exchange) bool { return x.N == n })
	if i < 0 {
		return ""
	}
	return rec.Exchanges[i].Check + ": " + rec.Exchanges[i].Step
}
