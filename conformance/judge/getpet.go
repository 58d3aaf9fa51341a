package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
)

// fetches says what a getPet with the key has to return, by what the run knows of the id. An animal that a response
// showed is found, unless the store lacks it, which the model judges. One that getPet alone shows, even in a body that
// can't be read, is another client's, unless the run made the id up.
func (r *Run) fetches(row plan.Row, x history.Exchange) (spec.ID, []int) {
	id := x.PetID()
	n, err := strconv.ParseInt(id, 10, 64)
	p, found := x.Pet()
	switch {
	case !r.h.Meta.AsOf.Before(spec.Removal):
		return "GET-5", []int{404, 410, 405, 400, 501}
	case err != nil:
		return "GET-6", []int{400, 404}
	case r.mayExist(id, x), x.Status() == http.StatusOK && row.Breaks != "GET-3" && !(found && p.ID != id):
		return "GET-1", []int{200, 404}
	case n < 0: // a service whose ids are never negative may take it for a petId that is no int64
		return "GET-3", []int{404, 400}
	}
	return "GET-3", []int{404}
}

// mayExist reports whether an animal with the id may exist when a read is answered: the run had sent its creation by
// then, or, of one that the run did not create, a listing shows it.
func (r *Run) mayExist(id string, read history.Exchange) bool {
	ours, early := false, true
	for _, c := range r.h.Created() {
		if c.Answered.ID == id {
			ours, early = true, early && !c.Exchange.Sent.Before(read.Ended())
		}
	}
	if ours {
		return !early
	}
	return slices.ContainsFunc(r.h.All, func(y history.Exchange) bool {
		pets, _ := y.Pets()
		return slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == id })
	})
}

// answer describes a response without its number of animals, so that releases can be compared on different stores.
func answer(x history.Exchange) string {
	switch n := x.Len(); {
	case n == 0:
		return "200 with no animal"
	case n > 0:
		return "200 with animals"
	case x.Operation == spec.CreatePet || x.MediaType() == "":
		return strconv.Itoa(x.Status())
	}
	return fmt.Sprintf("%d %s", x.Status(), x.MediaType())
}
