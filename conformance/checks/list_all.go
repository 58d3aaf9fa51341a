package checks

import (
	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// ListAll begins every run: listPets without parameters is answered 200 (Endpoints / listPets). It also asks for a
// status that the listing does not show, since a service may answer a filter that finds nothing otherwise than an empty
// store.
var ListAll = check.Check{
	ID: "list-all", Title: "listPets without parameters", Operation: spec.ListPets,
	Proves: "LIST-1", Also: []spec.ID{"LIST-6"}, Requests: 2,
	Send: func(s *check.Sender) {
		shown, status := statusesIn(s.List("no-parameters", check.Query{})), spec.Pending
		for _, other := range spec.Statuses() {
			if !shown[other] {
				status = other
			}
		}
		s.List("a-status", check.Status(status))
	},
	Judge: func(j *check.Judge) {
		j.Status("LIST-1", j.Step("no-parameters"), 200)
		j.Status("LIST-6", j.Step("a-status"), 200)
	},
}

// statusesIn returns the statuses that a listing shows.
func statusesIn(x history.Exchange) map[spec.PetStatus]bool {
	shown := map[spec.PetStatus]bool{}
	for _, p := range petsIn([]history.Exchange{x}) {
		status, _ := p.Status()
		shown[status] = true
	}
	return shown
}

// storeOrders observes GET /store/orders with a valid key. Its response is not shown; the rules for error responses
// hold.
var storeOrders = check.Check{
	ID: "orders", Title: "GET /store/orders with a valid key", Operation: spec.StoreOrders,
	Proves: "ORDERS-1", Requests: 1, Spare: true,
	Send: func(s *check.Sender) { s.Do(check.Orders("key")) },
	Judge: func(j *check.Judge) {
		x := j.Step("key")
		if j.Usable(x) {
			j.Observe("ORDERS-1", "status", statusAndType(x))
		}
	},
}
