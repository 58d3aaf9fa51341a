// Package history reads a recording as the interface's own terms: which animals were created, what a listing held, what an
// Error said. It reads leniently and judges nothing, so that one thing that is written wrongly is one finding.
package history

import (
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Exchange is a recorded exchange with its body read once.
type Exchange struct {
	exchange.Exchange
	// Value is the response's body as JSON (numbers as json.Number), when Malformed is nil.
	Value any
	// Malformed says why the body is not one JSON value in UTF-8.
	Malformed error
	// Twice names a member that an object of the body carries twice.
	Twice string

	// once is shared by all copies of the exchange, so that its animals and its query are worked out once however many
	// judges ask. It also tells readings apart: see Same.
	once *derived
}

// History is a recording, read.
type History struct {
	Meta exchange.Meta
	End  *exchange.End
	All  []Exchange

	byCheck map[string][]int
	created func() []Creation
}

// Of reads a recording.
func Of(rec *exchange.Recording) *History {
	all := make([]Exchange, len(rec.Exchanges))
	for i, x := range rec.Exchanges {
		all[i] = ReadExchange(x)
	}
	return From(rec.Meta, rec.End, all)
}

// From makes a history of exchanges that have been read already.
func From(meta exchange.Meta, end *exchange.End, all []Exchange) *History {
	h := &History{Meta: meta, End: end, All: all, byCheck: map[string][]int{}}
	for i, x := range all {
		h.byCheck[x.Check] = append(h.byCheck[x.Check], i)
	}
	h.created = sync.OnceValue(func() []Creation { return creations(h.All) })
	return h
}

// ReadExchange reads the body of one exchange.
func ReadExchange(x exchange.Exchange) Exchange {
	r := Exchange{Exchange: x}
	if x.Response != nil {
		r.Value, r.Twice, r.Malformed = parse(x.Response.Body)
	}
	r.once = derive(&r)
	return r
}

// With gives the history of rec, which differs from h's recording in the exchanges at the given places of All and in nothing
// else. The readings of all others are shared, so that a thousand variants of one recording cost a thousand bodies, not a
// thousand recordings.
func (h *History) With(rec *exchange.Recording, changed ...int) *History {
	v := &History{Meta: h.Meta, End: h.End, All: slices.Clone(h.All), byCheck: h.byCheck}
	for _, i := range changed {
		v.All[i] = ReadExchange(rec.Exchanges[i])
	}
	v.created = sync.OnceValue(func() []Creation { return creations(v.All) })
	return v
}

// Same says whether x and y are one reading of one exchange.
func (x Exchange) Same(y Exchange) bool { return x.once != nil && x.once == y.once }

// Of gives a check's exchanges in the order of sending.
func (h *History) Of(check string) []Exchange {
	own := make([]Exchange, 0, len(h.byCheck[check]))
	for _, i := range h.byCheck[check] {
		own = append(own, h.All[i])
	}
	return own
}

// Created gives the animals that the run's requests created, in the order of the answers.
func (h *History) Created() []Creation { return h.created() }

// MediaType is the media type of a response, in lower case and without parameters; "" when none is declared. Several that
// differ are given as they came, with commas between: no client can know which one counts.
func (x Exchange) MediaType() string {
	if x.Response == nil {
		return ""
	}
	values := x.Response.Header.Values("Content-Type")
	if len(slices.Compact(slices.Clone(values))) > 1 {
		return strings.ToLower(strings.Join(values, ", "))
	}
	field := x.Response.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(field); err == nil {
		return t
	}
	t, _, _ := strings.Cut(field, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// IsJSON says whether the response is declared application/json.
func (x Exchange) IsJSON() bool { return x.MediaType() == "application/json" }

// IsError says whether the response is an error response: 4xx or 5xx.
func (x Exchange) IsError() bool { return x.Status() >= 400 }

// Pets gives the animals of a listing's 200 and whether its body is an array. Elements that are no objects are left out.
func (x Exchange) Pets() (pets []Pet, ok bool) {
	if x.once != nil {
		return x.once.pets, x.once.isList
	}
	return x.readPets()
}

func (x Exchange) readPets() (pets []Pet, ok bool) {
	if x.Operation != spec.ListPets || x.Status() != http.StatusOK || !x.Answered() || x.Malformed != nil {
		return nil, false
	}
	elements, ok := x.Value.([]any)
	if !ok {
		return nil, false
	}
	for _, e := range elements {
		if p, ok := petOf(e); ok {
			pets = append(pets, p)
		}
	}
	return pets, true
}

// Len is the number of elements of a listing's 200, -1 when it is no array.
func (x Exchange) Len() int {
	if _, ok := x.Pets(); !ok {
		return -1
	}
	return len(x.Value.([]any))
}

// Pet gives the animal of a createPet's 2xx or a getPet's 200.
func (x Exchange) Pet() (Pet, bool) {
	single := x.Operation == spec.CreatePet && x.Status()/100 == 2 || x.Operation == spec.GetPet && x.Status() == http.StatusOK
	if !single || !x.Answered() || x.Malformed != nil {
		return Pet{}, false
	}
	return petOf(x.Value)
}

// Asked gives a query parameter of the request, and whether it is there.
func (x Exchange) Asked(parameter string) (string, bool) {
	q := x.query()
	if !q.Has(parameter) {
		return "", false
	}
	if len(q[parameter]) > 1 { // which of them counts is not shown
		return "", true
	}
	return q.Get(parameter), true
}

// PetID is the petId of a getPet's path, unescaped.
func (x Exchange) PetID() string {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	return unescape(strings.TrimPrefix(path, "/pets/"))
}
