package checks_test

import (
	"slices"
	"testing"
	"time"

	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// TestSpoiltStore: a valid creation that fails needs the creation that spoilt the store, if none succeeded after that one.
func TestSpoiltStore(t *testing.T) {
	type sent struct {
		check  string
		status int
	}
	early, spoils := sent{"create-statuses", 201}, sent{"create-category-invalid", 201}
	for _, row := range []struct {
		name string
		all  []sent // the finding is about the fourth
		want bool
	}{
		{"nothing succeeds again", []sent{early, spoils, {"create-id", 500}, {"create-category", 500}}, true},
		{"the request that spoils the store fails too", []sent{early, {spoils.check, 500}, {"create-id", 500}, {"create-category", 500}}, true},
		{"a later creation succeeds", []sent{early, spoils, {"create-id", 500}, {"create-category", 500}, {"create-fill", 201}}, false},
		{"the creation was refused", []sent{early, {spoils.check, 400}, {"create-id", 500}, {"create-category", 500}}, false},
		{"none ever succeeded", []sent{{early.check, 500}, {spoils.check, 500}, {"create-id", 500}, {"create-category", 500}}, false},
		{"only the one failed", []sent{early, spoils, {"create-id", 400}, {"create-category", 500}}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			rec := exchange.Recording{}
			for i, s := range row.all {
				rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: i + 1, Check: s.check, Operation: spec.CreatePet, Auth: exchange.Key,
					Request: exchange.Request{Method: "POST", Path: "/pets"}, Response: &exchange.Response{Status: s.status},
					Sent: time.Unix(int64(i), 0), Done: time.Millisecond})
			}
			found := []verdict.Check{{ID: "create-category", Findings: []verdict.Finding{{Requirement: "CREATE-1", Cases: []verdict.Case{{Exchanges: []int{4}}}}}}}
			checks.AddDependencies(history.Of(&rec), found)
			if got := found[0].Findings[0].Cases[0].Beside; slices.Contains(got, spoils.check) != row.want {
				t.Errorf("the finding needs %q; with %s: %v is wanted", got, spoils.check, row.want)
			}
		})
	}
}
