package conformance

import "petconform/spec"

// listAll begins every run: listPets without parameters is answered 200 (Endpoints / listPets). It also asks for a status before
// the run has created an animal, since a service may answer a filter that finds nothing otherwise than an empty store.
var listAll = Check{
	ID: "list-all", Title: "listPets without parameters", Operation: spec.ListPets,
	Proves: "LIST-1", Also: []spec.ID{"LIST-6"}, Requests: 2,
	Send: func(s *Sender) {
		s.List("no-parameters", Query{})
		s.List("status=pending", Status(spec.Pending))
	},
	Judge: func(j *Judge) {
		j.Status("LIST-1", j.Step("no-parameters"), 200)
		j.Status("LIST-6", j.Step("status=pending"), 200)
	},
}

// storeOrders observes GET /store/orders with a valid key. Its response is not shown; the rules for error responses hold.
var storeOrders = Check{
	ID: "orders", Title: "GET /store/orders with a valid key", Operation: spec.StoreOrders,
	Proves: "ORDERS-1", Requests: 1, Spare: true,
	Send: func(s *Sender) { s.Orders("key") },
	Judge: func(j *Judge) {
		x := j.Step("key")
		if j.Usable(x) {
			j.Observe("ORDERS-1", "status", statusAndType(x))
		}
	},
}
