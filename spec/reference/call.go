package reference

import (
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/strictjson"
)

// call is one request on its way through the service, with the results of the steps.
type call struct {
	service *behaviour
	writer  http.ResponseWriter
	request *http.Request
	// header is the header of the answer.
	header http.Header
	// now is the service's clock when the request came.
	now time.Time

	operation spec.Operation
	// path is relative to the base address, escaped, without its query.
	path string
	// petID is getPet's path parameter, still escaped.
	petID string

	// account is nil until the key was found valid.
	account *account
	// decision is what the rate-limit headers show.
	decision limiter.Decision

	// filter is the request of listPets, draft that of createPet, id that of getPet.
	filter filter
	draft  draft
	id     int64
	// pet and pets are the result of the operation.
	pet  spec.Pet
	pets []spec.Pet
	// refusedInARow counts the refusals of the key since its last accepted request. Only some deviations set it.
	refusedInARow int
	// body is the body of the request.
	body []byte
}

// filter is the query of a listing. A limit of 0 lists every animal.
type filter struct {
	status spec.PetStatus
	limit  int
}

// draft is a NewPet as it was sent, with the members that the interface does not name.
type draft struct {
	spec.NewPet
	extra []strictjson.Member
}

// answer is a response before it is written.
type answer struct {
	status int
	// mediaType is the Content-Type; "" leaves the header out.
	mediaType string
	body      []byte
}

// refusal is the status and the Error of a request that is not carried out.
type refusal struct {
	status        int
	code, message string
	// allow lists the methods of the path, for a 405.
	allow string
}

func invalid(code, format string, a ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, message: fmt.Sprintf(format, a...)}
}

func notFound(format string, a ...any) *refusal {
	return &refusal{status: http.StatusNotFound, code: "not_found", message: fmt.Sprintf(format, a...)}
}

// internal does not tell the client what failed; the log has it.
func internal() *refusal {
	return &refusal{status: http.StatusInternalServerError, code: "internal", message: "The service failed to carry out the request."}
}
