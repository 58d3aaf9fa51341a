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

// stricter names the rules that find responses which do not contradict the OpenAPI document, with the reason.
var stricter = map[string]string{
	"success-json":        "the filter reads the first JSON value of a body and ignores what follows it; invalid UTF-8 passes",
	"pet-schema":          "an int64 is written as a whole number: 7.0 and 1e2 are integers to JSON Schema; of a member that stands twice the filter reads the last",
	"error-body":          "the status of an Error is written as a whole number; GET /store/orders has no schema for its errors",
	"error-media-type":    "GET /store/orders has no schema for its errors",
	"error-status":        "that Error.status equals the HTTP status is no schema",
	"limit-kept":          "the length of a listing depends on the request",
	"default-limit-kept":  "the length of a listing depends on the request",
	"filter-kept":         "the statuses in a listing depend on the request",
	"listing-unique-ids":  "uniqueness of one member is no schema",
	"created-as-sent":     "the Pet of a 201 depends on the request",
	"fetched-is-the-pet":  "the id of the Pet depends on the request",
	"deprecation-headers": "the document names neither Deprecation nor Sunset",
	"key-accepted":        "a 401 is in the document, whatever the key",
	"no-server-error":     "a 5xx is in the document as a default response",
	"rate-numbers":        "that Remaining is at most Limit is no schema; of a header that stands twice the filter reads the first",
	"reset-time":          "the document's integer may be any time",
}

// TestTheDocumentAgainstTheRules holds every response of every deviation and freedom against the document and against the
// rules that judge one exchange. Where the document objects, a rule does too. Where only rules object, each has a reason.
func TestTheDocumentAgainstTheRules(t *testing.T) {
	var mu sync.Mutex
	count := map[string]int{}
	responses, both := 0, 0
	compare := func(t *testing.T, rec *exchange.Recording) {
		for _, x := range history.Of(rec).All {
			if !x.Answered() || !x.Named() {
				continue
			}
			what, named := spec.Contradiction(x.Operation, x.Status(), x.Response.Header, x.Response.Body)
			var found []string
			for _, r := range rules.All() {
				if r.Finds(x) {
					found = append(found, r.ID)
				}
			}
			mu.Lock()
			responses++
			switch {
			case what != "" && len(found) > 0:
				both++
			case what != "":
				t.Errorf("exchange %d contradicts the document, and no rule says so: %s", x.N, what)
			case named:
				for _, id := range found {
					count[id]++
				}
			}
			mu.Unlock()
		}
	}
	each(t, long.Deviations(t, standard()), func(d deviations.Deviation) string { return d.Name }, func(t *testing.T, d deviations.Deviation) {
		_, rec := against(t, proof.Service{Deviations: []string{d.Name}})
		compare(t, rec)
	})
	each(t, long.Freedoms(t, slices.Concat(freedoms.All(), freedoms.AtRest())), func(f freedoms.Freedom) string { return f.Name }, func(t *testing.T, f freedoms.Freedom) {
		_, rec := against(t, proof.Service{Freedoms: []string{f.Name}})
		compare(t, rec)
	})
	t.Logf("%d responses; %d contradict the document and a rule; rules alone object to %v", responses, both, count)
	if both == 0 {
		t.Error("no response contradicts the document, so nothing was compared")
	}
	for id := range count {
		if stricter[id] == "" {
			t.Errorf("%s objects to %d responses that do not contradict the document; say why in stricter", id, count[id])
		}
	}
	for id := range stricter {
		if count[id] == 0 && long.Wanted() {
			t.Errorf("%s is called stricter than the document, and objects to nothing that the document allows", id)
		}
	}
}
