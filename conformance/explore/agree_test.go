package explore

import (
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// expected is what the judge expects of a request to an empty store.
func expected(method, path, body string, a exchange.Auth) expectation {
	body = strings.NewReplacer("%n", `"Rex"`, "%c", "1").Replace(body)
	x := exchange.Exchange{N: 1, Operation: spec.OperationOf(method, path), Auth: a, Response: &exchange.Response{Status: 500},
		Request: exchange.Request{Method: method, Path: path, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: exchange.Body(body)}}
	h := history.Of(&exchange.Recording{Meta: exchange.Meta{CategoryID: 1}, Exchanges: []exchange.Exchange{x}})
	return newReader(h, patienceOf(h.Meta)).expect(h.All[0])
}

// TestTheTableAndTheJudgeAgree: what the judge makes of an invalid body or id is what the table says of it.
func TestTheTableAndTheJudgeAgree(t *testing.T) {
	for _, id := range []spec.ID{"CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10", "CREATE-11"} {
		always, varied := invalid.Bodies(id)
		if len(always) == 0 {
			t.Errorf("%s has no body", id)
		}
		for _, b := range slices.Concat(always, varied) {
			e := expected("POST", "/pets", b.Text, exchange.Key)
			if open := strings.Contains(b.Text, `\ud83d`) || strings.Contains(b.Text, "\xff"); !open && (e.requirement != id || !slices.Equal(e.statuses, b.Gets())) {
				t.Errorf("%s %s: the judge expects %v by %s; the table says %v", id, b.Step, e.statuses, e.requirement, b.Gets())
			}
		}
	}
	for _, body := range slices.Concat(invalid.Neighbours, invalid.Explored) {
		if e := expected("POST", "/pets", body, exchange.Key); !slices.Equal(e.statuses, []int{400}) && !strings.Contains(body, `\ud83d`) {
			t.Errorf("%s: the judge expects %v; 400 is wanted", body, e.statuses)
		}
	}
	for want, ids := range map[spec.ID][]string{"GET-3": invalid.UnknownIDs, "GET-6": invalid.NoInt64} {
		for _, id := range ids {
			if e := expected("GET", "/pets/"+id, "", exchange.Key); e.requirement != want {
				t.Errorf("/pets/%s: the judge expects %v by %s; %s is wanted", id, e.statuses, e.requirement, want)
			}
		}
	}
}
