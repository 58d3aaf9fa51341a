package rules_test

import (
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// TestLeftBehind: a fault in what an earlier run of petconform left in the store names that run. One in an animal of this run, or of
// another client, names none.
func TestLeftBehind(t *testing.T) {
	const made, told = "petconform-k3x9q2-refused-far-beyond-int64", "the number 1e+30, in an animal that petconform made in run k3x9q2 (refused-far-beyond-int64)"
	for _, row := range []struct{ name, run, animal, want string }{
		{"a category, in an earlier run", "abc234", `{"id":7,"name":"` + made + `","categoryId":1e+30}`, told},
		{"an id, in an earlier run", "abc234", `{"id":1e+30,"name":"` + made + `","categoryId":1}`, told},
		{"in this run", "k3x9q2", `{"id":7,"name":"` + made + `","categoryId":1e+30}`, "the number 1e+30"},
		{"another client's", "abc234", `{"id":7,"name":"petconform","categoryId":1e+30}`, "the number 1e+30"},
	} {
		x := answer(200, `[{"id":6,"name":"petconform-zzz-fine","categoryId":1},`+row.animal+`]`)
		h := history.Of(&exchange.Recording{Meta: exchange.Meta{Run: row.run, Target: "http://host/v1"}, Exchanges: []exchange.Exchange{x}})
		all, _ := rules.Judge(rules.All(), h)
		for _, c := range all {
			if c.ID == "pet-schema" && (len(c.Findings) != 1 || c.Findings[0].Actual != row.want || c.Findings[0].Cases[0].Actual != row.want) {
				t.Errorf("%s: %+v; %q is wanted", row.name, c.Findings, row.want)
			}
		}
	}
}
