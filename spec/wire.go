package spec

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
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	// Status is optional; the empty string means that it is not sent.
	Status PetStatus `json:"status,omitempty"`
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
	// Status repeats the HTTP status code of the response.
	Status int `json:"status"`
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
