package history

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Creation is an animal that a request created.
type Creation struct {
	Exchange Exchange
	// Sent is the body of the request, if it is a JSON object.
	Sent Pet
	// Answered is the animal in the answer. Its ID may be "".
	Answered Pet
}

// Compare orders creations by what was sent. Which animal gets which id depends on how creations overlapped, and this
// does not.
func (c Creation) Compare(d Creation) int {
	return cmp.Or(strings.Compare(c.Exchange.Check, d.Exchange.Check), strings.Compare(c.Exchange.Step, d.Exchange.Step))
}

// Result is the animal as results have it.
func (c Creation) Result() verdict.Created {
	return verdict.Created{ID: cmp.Or(json.Number(c.Answered.ID), "0"), Name: c.Answered.Name(), Exchange: c.Exchange.N}
}

// creations returns the creation of each createPet that was answered 2xx with an object.
func creations(all []Exchange) []Creation {
	var out []Creation
	for _, x := range all {
		answered, ok := x.Pet()
		if !ok || x.Request.Method != http.MethodPost {
			continue
		}
		sent, _ := petOf(x.Posted().Value)
		out = append(out, Creation{Exchange: x, Sent: sent, Answered: answered})
	}
	return out
}

func owed(h *History) []Creation {
	sent, ids := map[row]int{}, map[string]int{}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			sent[row{x.Check, x.Step}]++
		}
	}
	for _, c := range h.Created() {
		ids[c.Answered.ID]++
	}
	ofTwo := func(c Creation) bool { // of two animals with one id, the store may keep either
		s, shown := h.FirstShown(c.Answered.ID)
		return c.Answered.ID != "" && (ids[c.Answered.ID] > 1 || shown && s.Read.Ended().Before(c.Exchange.Sent))
	}
	return slices.DeleteFunc(slices.Clone(h.Created()), func(c Creation) bool {
		return ofTwo(c) || !c.Exchange.Auth.Valid() || !c.Sent.valid() || sent[row{c.Exchange.Check, c.Exchange.Step}] > 1
	})
}

// valid reports whether p is a NewPet, as far as the interface says. Whether 7.0 and a null status are valid is open.
func (p Pet) valid() bool {
	status, _ := p.Status()
	return !p.WrongType("name") && Whole(p.Member("categoryId")) != "" && (!p.Says("status") || status.Valid())
}

// SentName is the name in a createPet's request body, or "".
func (x Exchange) SentName() string {
	p, _ := petOf(x.Posted().Value)
	return p.Name()
}

// Creates reports whether x is a createPet with a body that a service has to accept. 7.0 and a null status are open.
func (x Exchange) Creates() bool {
	sent, ok := x.SentPet()
	return ok && !sent.WrongType("categoryId") && !sent.WrongType("status") && sent.valid()
}

// SentPet is a createPet's request body, if it is one JSON object without a member given twice.
func (x Exchange) SentPet() (Pet, bool) {
	sent := x.Posted()
	if sent.Malformed != nil || sent.Twice != "" {
		return Pet{}, false
	}
	return petOf(sent.Value)
}

// Category is the category of the animals that the run creates: the one that it was given, else the smallest of 1 and
// more that its first listing shows, else 1. known says that the category exists on the target, because somebody said
// so or an animal has it.
func (h *History) Category() (id int64, known bool) {
	if h.Meta.CategoryID != 0 {
		return h.Meta.CategoryID, true
	}
	if i := slices.IndexFunc(h.All, func(x Exchange) bool { return x.Len() >= 0 }); i >= 0 {
		id, known = h.All[i].Category()
	}
	return max(id, 1), known
}

// mostExact is the largest integer that every JSON reader keeps.
const mostExact = 1 << 53

// Category is the smallest category of 1 and more that a listing shows, if it shows one.
func (x Exchange) Category() (id int64, known bool) {
	pets, _ := x.Pets()
	for _, p := range pets {
		n, err := strconv.ParseInt(p.Category(), 10, 64)
		if err == nil && n > 0 && n <= mostExact && (!known || n < id) {
			id, known = n, true
		}
	}
	return id, known
}
