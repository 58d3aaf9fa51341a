// Package spec is the pet adoption interface as data: the OpenAPI document, the ledger of requirements,
// the plans and the wire types. It sends nothing and judges nothing.
//
// Below it, so that conformance and load share one of each:
//
//	spec/exchange   a recorded HTTP exchange, the recording file, and the secret that cannot be printed
//	spec/verdict    the words in which a run's outcome is told, and how they add up
//	spec/rules      what holds for every response, judged from exchanges alone
//	spec/client     the client that records, paces itself and adds the key
//	spec/reference  the interface as a running service, with switchable deviations and freedoms
package spec
