package reference

import (
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/strictjson"
)

// call is one request on its way through the service, with what the steps found out about it.
type call struct {
	service *Service
	writer  http.ResponseWriter
	request *http.Request
	// header is the answer's.
	header http.Header
	// now is the service's clock when the request came.
	now time.Time

	operation spec.Operation
	// path is relative to the base address, escaped, without its query.
	path string
	// petID is getPet's path parameter as it stands in the path.
	petID string

	// account is who calls, nil until the key was found valid.
	account *account
	// decision is what the headers say of the allowance.
	decision limiter.Decision

	// filter is what listPets understood, draft what createPet did, id what getPet did.
	filter filter
	draft  draft
	id     int64
	// pet and pets are what the operation did or found.
	pet  spec.Pet
	pets []spec.Pet
	// refusedInARow counts the refusals of the key since its last accepted request, where a deviation counts them.
	refusedInARow int
	// buffer is where the answer's body is written, and body where the request's is read; both are used again.
	buffer, body []byte
}

// filter is what a listing is asked for.
type filter struct {
	status spec.PetStatus
	limit  int
}

// draft is a NewPet as it came, with the members that the interface does not name.
type draft struct {
	spec.NewPet
	extra []strictjson.Member
}

// answer is a response before it is written.
type answer struct {
	status int
	// mediaType is the Content-Type; empty leaves the header out.
	mediaType string
	body      []byte
}

// refusal is why a request is not carried out: the status and the Error that say so.
type refusal struct {
	status        int
	code, message string
	// allow names the methods that the path has, for a 405.
	allow string
}

// Error makes a refusal an error, for what is called from steps.
func (r *refusal) Error() string { return fmt.Sprintf("%d %s: %s", r.status, r.code, r.message) }

func invalid(code, format string, a ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, message: fmt.Sprintf(format, a...)}
}

func notFound(format string, a ...any) *refusal {
	return &refusal{status: http.StatusNotFound, code: "not_found", message: fmt.Sprintf(format, a...)}
}

// internal hides what went wrong from the client; the log has it.
func internal() *refusal {
	return &refusal{status: http.StatusInternalServerError, code: "internal", message: "The service failed to carry out the request."}
}
