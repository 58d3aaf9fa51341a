// Package reference is the pet adoption interface as a running service: one that a client can be developed against, and
// one that the suite is proved on.
//
// New assembles a Service, an http.Handler, from a value of type behaviour: a struct of the steps and functions that
// authenticate, count, decode, validate, store, list and encode. Nothing in the handlers asks whether the service is to
// behave wrongly. A Deviation is a named change of that struct which breaks the interface; a Freedom is one which keeps
// it and uses what the interface leaves open. Config switches them on by name.
//
// What the interface leaves open, the plain service answers like this:
//
//	a limit out of 1 to 100, or no integer      400        a status left out       stays out
//	an unknown status filter                    400        a status null           400
//	a petId that is no int64                    404        unknown members         ignored
//	another media type than application/json    415        an empty name           kept as it is
//	7.0 and 1e2 for an int64                    400        a member given twice    400
//	GET /store/orders                           a short list of orders
//
// The packages below it: limiter counts requests in every way that a plan can mean, store keeps the animals in memory or
// in a file, strictjson reads request bodies.
package reference
