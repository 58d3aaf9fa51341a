// Package reference is the pet adoption interface as a running service. Clients are developed against it, and the
// suite is proved on it.
//
// New makes a Service, an http.Handler. Package internal/behaviour has what it does, as one value that can be changed
// in four places: the request before it is read, the decision of the limiter, the store, the answer before it is
// written. A deviation is a named change that breaks the interface, a freedom one that keeps the interface and uses
// what it leaves open: packages deviations and freedoms are the two tables. Config switches them on by name.
//
// Where the interface is open, the service without freedoms answers like this:
//
//	a limit out of 1 to 100, or not an integer  400        a status left out       stays out
//	an unknown status filter                    400        a status null           400
//	a petId that is not an int64                404        unknown members         ignored
//	another media type than application/json    415        an empty name           stored
//	7.0 and 1e2 for an int64                    400        a member given twice    400
//	GET /store/orders                           two orders
//
// Package limiter counts requests, store keeps the animals in memory, and inprocess calls a handler
// without a network.
package reference
