package proof_test

import (
	"slices"
	"sync"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/rules"
)

// TestTheDocumentAgainstTheRules holds every response of every deviation and freedom against the document and against the
// rules that judge one exchange. Where the document objects, a rule does too.
func TestTheDocumentAgainstTheRules(t *testing.T) {
	var mu sync.Mutex
	responses, both := 0, 0
	compare := func(t *testing.T, rec *exchange.Recording) {
		for _, x := range history.Of(rec).All {
			if !x.Answered() || !x.Named() {
				continue
			}
			what, _ := spec.Contradiction(x.Operation, x.Status(), x.Response.Header, x.Response.Body)
			found := slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return r.Finds(x) })
			if what != "" && !found {
				t.Errorf("exchange %d contradicts the document, and no rule says so: %s", x.N, what)
			}
			mu.Lock()
			if responses++; what != "" {
				both++
			}
			mu.Unlock()
		}
	}
	each(t, long.Rows(t, standard(), long.Broken), func(d deviations.Deviation) string { return d.Name }, func(t *testing.T, d deviations.Deviation) {
		_, rec := against(t, proof.Service{Deviations: []string{d.Name}})
		compare(t, rec)
	})
	each(t, long.Freedoms(t, slices.Concat(freedoms.All(), freedoms.AtRest())), func(f freedoms.Freedom) string { return f.Name }, func(t *testing.T, f freedoms.Freedom) {
		_, rec := against(t, proof.Service{Freedoms: []string{f.Name}})
		compare(t, rec)
	})
	if t.Logf("%d responses; %d contradict the document and a rule", responses, both); both == 0 {
		t.Error("no response contradicts the document, so nothing was compared")
	}
}
