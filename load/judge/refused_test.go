package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// createAndList sends a createPet of Rex, which gets a status, and lists n animals of the name.
func (s *story) createAndList(status, n int, name string) {
	add := func(p record.Phase, role record.Role, q exchange.Request, status int, body string) {
		_ = s.collect.Add(&record.Record{Place: record.Place{Phase: p, Round: 1, Role: role}, Sent: s.now, FirstByte: s.took, Done: s.took}, &exchange.Exchange{Request: q,
			Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}})
		s.now += s.took
	}
	var pets []spec.Pet
	for i := range n {
		pets = append(pets, spec.Pet{ID: int64(i + 1), NewPet: spec.NewPet{Name: name, CategoryID: 1, Status: spec.Sold}})
	}
	listing, _ := json.Marshal(pets)
	add(record.Overload, record.Press, exchange.Request{Method: http.MethodPost, Path: "/pets", Body: []byte(`{"name":"Rex","categoryId":1}`)}, status,
		fmt.Sprintf(`{"code":"c","message":"m","status":%d}`, status))
	add(record.RefusedCreate, record.Search, exchange.Request{Method: http.MethodGet, Path: "/pets?status=sold&limit=100"}, http.StatusOK, string(listing))
}

// TestRefusedCreate looks for the animal of a createPet that was answered 429.
func TestRefusedCreate(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(*story)
		want verdict.Verdict
		// shown is the end of the evidence, or of the reason for no verdict.
		shown string
	}{
		"not there":       {func(s *story) { s.createAndList(429, 99, "Cleo") }, verdict.Passed, "none of the animals of 1 refused createPet is among the 99 in the listing"},
		"there":           {func(s *story) { s.createAndList(429, 1, "Rex") }, verdict.Failed, ""},
		"nothing refused": {func(s *story) { s.createAndList(400, 1, "Rex") }, verdict.Inconclusive, "no createPet was answered 429"},
		"banned before": {func(s *story) { s.fill(1, 60, quick); s.createAndList(403, 1, "Rex") }, verdict.Inconclusive,
			"no createPet was answered 429; the key seems to have been banned (exchange 62: 403 after a 429)"},
		"refused without a 429 before": {func(s *story) { s.createAndList(403, 1, "Rex"); s.fill(1, 60, quick) }, verdict.Inconclusive, "no createPet was answered 429"},
		"too many to be seen":          {func(s *story) { s.createAndList(429, 100, "Cleo") }, verdict.Inconclusive, "is not complete (exchange 2)"},
	} {
		res, err := Results(tellStory(func(s *story) { s.rec.Settings.Phases = []record.Phase{record.RefusedCreate}; c.tell(s) }),
			[]Phase{{ID: record.RefusedCreate, Proves: []spec.ID{"RATE-12"}}})
		if err != nil {
			t.Fatal(err)
		}
		shown := res.Checks[0].Evidence + res.Checks[0].Reason
		if got := rulingOf(res, "RATE-12").Verdict; got != c.want || !strings.HasSuffix(shown, c.shown) || c.shown == "" && shown != "" {
			t.Errorf("%s: %s, %q; want %s, %q", name, got, shown, c.want, c.shown)
		}
	}
}
