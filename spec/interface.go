// Package spec is the pet adoption interface as data: the OpenAPI document, the ledger of requirements, the plans and
// the wire types. It sends nothing and judges nothing.
//
// The packages below it are shared by conformance and load:
//
//	spec/exchange   the recorded HTTP exchange, the recording file, and the API key as a value that cannot be printed
//	spec/verdict    the verdicts of checks, requirements and runs, and how they are summed
//	spec/invalid    invalid credentials, bodies and ids: what each is, and which requirement its acceptance breaks
//	spec/rules      the requirements on every response, judged from exchanges alone
//	spec/history    what exchanges say of the interface: listings, animals, when what was created
//	spec/hint       what usually breaks a requirement, by framework
//	spec/roundtrip  one request sent, and its response read within bounds
//	spec/client     the client, which adds the key, paces itself and records
//	spec/reference  the interface as a running service, with switchable deviations and freedoms
package spec

import (
	"net/http"
	"strings"
	"time"
)

// Operation names one of the interface's four endpoints (Endpoints).
type Operation string

// The operations. The interface has no name for StoreOrders; ours comes from its path.
const (
	ListPets    Operation = "listPets"
	CreatePet   Operation = "createPet"
	GetPet      Operation = "getPet"
	StoreOrders Operation = "storeOrders"
	// Elsewhere stands for a path or method that the interface does not name.
	Elsewhere Operation = "elsewhere"
)

// Operations lists the four endpoints in the interface's order.
func Operations() []Operation { return []Operation{ListPets, CreatePet, GetPet, StoreOrders} }

// OperationOf returns the operation of a method and a path. The path is relative to the base address, escaped, and may
// have a query: "/pets?limit=1".
func OperationOf(method, path string) Operation {
	path, _, _ = strings.Cut(path, "?")
	one, isOne := strings.CutPrefix(path, "/pets/")
	switch {
	case method == http.MethodGet && path == "/pets":
		return ListPets
	case method == http.MethodPost && path == "/pets":
		return CreatePet
	case method == http.MethodGet && isOne && one != "" && !strings.Contains(one, "/"):
		return GetPet
	case method == http.MethodGet && path == "/store/orders":
		return StoreOrders
	}
	return Elsewhere
}

// PetStatus is the availability status of an animal (Resources / PetStatus).
type PetStatus string

// The three values that the enumeration allows.
const (
	Available PetStatus = "available"
	Pending   PetStatus = "pending"
	Sold      PetStatus = "sold"
)

// Statuses lists the enumeration in the interface's order.
func Statuses() []PetStatus { return []PetStatus{Available, Pending, Sold} }

// Valid reports whether s is one of the allowed values; they are case-sensitive.
func (s PetStatus) Valid() bool { return s == Available || s == Pending || s == Sold }

// NewPet is the request body of createPet (Resources / NewPet).
type NewPet struct {
	Name       string    `json:"name"`
	CategoryID int64     `json:"categoryId"`
	Status     PetStatus `json:"status,omitempty"` // optional; the empty string means that it is not sent
}

// Pet is an animal as the service returns it (Resources / Pet).
type Pet struct {
	ID int64 `json:"id"`
	NewPet
}

// Error is the body of every error response (Resources / Error).
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"` // Status repeats the HTTP status code of the response
}

// The range and the default of listPets' limit parameter (Limits).
const (
	MinLimit     = 1
	MaxLimit     = 100
	DefaultLimit = 20
)

// The headers that the interface names (Limits / Rate limits by plan).
const (
	HeaderLimit      = "X-RateLimit-Limit"
	HeaderRemaining  = "X-RateLimit-Remaining"
	HeaderReset      = "X-RateLimit-Reset"
	HeaderRetryAfter = "Retry-After"
)

// Plan is the number of requests that a key may send (Limits / Rate limits by plan).
type Plan struct {
	Name string
	// PerMinute and PerDay are numbers of requests. 0 means that the interface gives no number ("custom").
	PerMinute, PerDay int64
}

// The plans by name, as the interface's table has them.
var (
	Free       = Plan{"Free", 60, 1_000}
	Pro        = Plan{"Pro", 300, 10_000}
	Business   = Plan{"Business", 1_000, 100_000}
	Enterprise = Plan{"Enterprise", 0, 0}
)

// Plans lists the four plans in the interface's order.
func Plans() []Plan { return []Plan{Free, Pro, Business, Enterprise} }

// PlanNamed returns the plan with the name, in upper or lower case.
func PlanNamed(name string) (Plan, bool) {
	for _, p := range Plans() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Plan{}, false
}

// Removal is the day on which getPet is to be removed (Versioning). The operation must work before that day.
var Removal = time.Date(2030, time.December, 5, 0, 0, 0, 0, time.UTC)

// InterfaceVersion is the version of the interface description (Versioning).
const InterfaceVersion = "1.0.0"
