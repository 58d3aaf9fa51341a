// Package spec is the pet adoption interface as data: the OpenAPI document, the ledger of requirements, the plans and
// the wire types. It sends nothing and judges nothing.
//
// The packages below it are shared by conformance and load:
//
//	spec/exchange   the recorded HTTP exchange, the recording file, and the API key as a value that cannot be printed
//	spec/verdict    the verdicts of checks, requirements and runs, and how they are summed
//	spec/invalid    invalid credentials, bodies and ids: what each is, and which requirement its acceptance breaks
//	spec/rules      the requirements on every response, judged from exchanges alone
//	spec/client     the client, which adds the key, paces itself and records
//	spec/reference  the interface as a running service, with switchable deviations and freedoms
package spec
