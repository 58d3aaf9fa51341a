package clients

import (
	"strings"
	"testing"

	"petconform/conformance/judge"
	"petconform/spec"
	"petconform/spec/exchange"
)

// TestEachRequirementHasARule: in both directions, and a client that breaks each must and should.
func TestEachRequirementHasARule(t *testing.T) {
	proved, caught := map[spec.ID]int{}, map[spec.ID]bool{}
	for _, r := range Rules() {
		proved[r.Proves[0]]++
	}
	for _, c := range deviating {
		for _, id := range c.breaks {
			caught[id] = true
		}
	}
	for _, q := range spec.TheLedger().Clients {
		if proved[q.ID] != 1 {
			t.Errorf("%s has %d rules", q.ID, proved[q.ID])
		}
		if q.Level != spec.Open && !caught[q.ID] {
			t.Errorf("no deviating client breaks %s", q.ID)
		}
		delete(proved, q.ID)
	}
	if len(proved) > 0 {
		t.Errorf("rules prove %v, which is not a requirement of clients", proved)
	}
}

// TestAServicesRunListsNoRequirementOfClients: and the other way round.
func TestAServicesRunListsNoRequirementOfClients(t *testing.T) {
	rec := &exchange.Recording{Meta: exchange.Meta{Kind: "check"}}
	for _, q := range judge.Recording(rec).Requirements {
		if strings.HasPrefix(string(q.ID), "CLIENT-") {
			t.Errorf("a run of a service lists %s", q.ID)
		}
	}
	r, err := Judge(rec)
	if err != nil || len(r.Requirements) != len(spec.TheLedger().Clients) {
		t.Errorf("a client run lists %d requirements (%v)", len(r.Requirements), err)
	}
}

func TestLiveTellsEachFindingOnce(t *testing.T) {
	var live Live
	r := judged(t, setting{}, func(d *desk) {
		p := d.program()
		for _, limit := range []string{"0", "101", "-1", "1000", "x"} {
			p.do("GET", "/pets?limit="+limit, "")
		}
	})
	lines := live.News(r)
	if len(lines) != 4 || lines[0] != "✗ CLIENT-8  request 1, the limit of a listing: limit=0; expected an integer from 1 to 100, or no limit" {
		t.Errorf("%q", lines)
	}
	if again := live.News(r); len(again) > 0 {
		t.Errorf("told again: %q", again)
	}
}
