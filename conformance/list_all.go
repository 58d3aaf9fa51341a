package conformance

import "petconform/spec"

// listAll is what a run begins with: without parameters, listPets answers 200 (Endpoints / listPets). What the body has to be,
// the rules say of every listing. The filter comes along because a filter that finds nothing may be answered otherwise than an
// empty store, and later the run will have created something to find.
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

// storeOrders: whatever a valid key gets there, it is not shown; the rules still hold for an error response.
var storeOrders = Check{
	ID: "orders", Title: "GET /store/orders with a valid key", Operation: spec.StoreOrders,
	Proves: "ORDERS-1", Requests: 1,
	Send: func(s *Sender) { s.Orders("key") },
	Judge: func(j *Judge) {
		x := j.Step("key")
		if j.Usable(x) {
			j.Observe("ORDERS-1", "status", statusAndType(x))
		}
	},
}
