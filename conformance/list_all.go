package conformance

import "petconform/spec"

// listAll is the first request of a run: without parameters, listPets answers 200 (Endpoints / listPets). What the body
// has to be, the rules say of every listing.
var listAll = Check{
	ID: "list-all", Title: "listPets without parameters", Operation: spec.ListPets,
	Proves: []spec.ID{"LIST-1"}, Requests: 1,
	Send:  func(s *Sender) { s.List("no-parameters", Query{}) },
	Judge: func(j *Judge) { j.Status("LIST-1", j.Step("no-parameters"), 200) },
}

// storeOrders: whatever a valid key gets there, it is not shown; the rules still hold for an error response.
var storeOrders = Check{
	ID: "orders", Title: "GET /store/orders with a valid key", Operation: spec.StoreOrders,
	Proves: []spec.ID{"ORDERS-1"}, Requests: 1,
	Send: func(s *Sender) { s.Orders("key") },
	Judge: func(j *Judge) {
		x := j.Step("key")
		if j.Usable(x) {
			j.Observe("ORDERS-1", "status", statusAndType(x))
		}
	},
}
