package behaviour

import (
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// Call is one request on its way through the service, with the results of the steps.
type Call struct {
	Service *Behaviour
	Writer  http.ResponseWriter
	Request *http.Request
	// Header is the header of the answer.
	Header http.Header
	// Now is the service's clock when the request came.
	Now time.Time

	Operation spec.Operation
	// Path is relative to the base address, escaped, without its query. PetID is getPet's path parameter, decoded.
	Path, PetID string

	// Account is nil until the key was found valid.
	Account *Account
	// Decision is what the rate-limit headers show.
	Decision Decision

	// Filter is the request of listPets, Draft that of createPet, ID that of getPet.
	Filter store.Query
	Draft  draft
	ID     int64
	// Pet and Pets are the result of the operation, Refused is the reason why there is none, and Answer what it comes to.
	// While animals are found, Pet is the one that a When is asked about.
	Pet     spec.Pet
	Pets    []spec.Pet
	Refused *Refusal
	Answer  *Answer
	// RefusedInARow counts the refusals of the key since its last accepted request.
	RefusedInARow int
	// Body is the body of the request, as it was sent.
	Body []byte
}

// draft is a NewPet as it was sent, with the members that the interface does not name.
type draft struct {
	spec.NewPet
	Extra []strictjson.Member
}

// Answer is a response before it is written.
type Answer struct {
	Status int
	// MediaType is the Content-Type; "" leaves the header out.
	MediaType string
	Body      []byte
}

// Refusal is the status and the Error of a request that is not carried out.
type Refusal struct {
	Status        int
	Code, Message string
}

// Refused is a refusal with that status and Error.
func Refused(status int, code, message string) *Refusal {
	return &Refusal{Status: status, Code: code, Message: message}
}

func Invalid(code, format string, a ...any) *Refusal {
	return Refused(http.StatusBadRequest, code, fmt.Sprintf(format, a...))
}

func NotFound(format string, a ...any) *Refusal {
	return Refused(http.StatusNotFound, "not_found", fmt.Sprintf(format, a...))
}

// SetHeader sets a header whose name is in the form of net/http. An empty value sets nothing.
func (c *Call) SetHeader(name, value string) {
	if value != "" {
		c.Header[name] = []string{value}
	}
}
