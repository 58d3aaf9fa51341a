// Package history reads a recording in the terms of the interface: the animals that were created, and those that a
// listing shows. It reads leniently and does not judge, so that one fault leads to one finding.
package history

import (
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

type Body struct {
	// Value is the body as JSON if Malformed is nil. Numbers are json.Number.
	Value any
	// Malformed is why the body is not one JSON value in UTF-8.
	Malformed error
	// Twice is a member that an object of the body has twice, or "".
	Twice string
}

// Exchange is a recorded exchange with the parsed body of its response.
type Exchange struct {
	exchange.Exchange
	Body

	// once is shared by all copies of the exchange, so that its animals and its query are derived only once. Same
	// compares it.
	once *derived
}

// History is a recording with parsed bodies.
type History struct {
	Meta exchange.Meta
	End  *exchange.End
	All  []Exchange

	byCheck map[string][]int
	byRow   func() map[row][]int
	created func() []Creation
	owed    func() []Creation
	shown   func() map[string]time.Time
}

// row names the request of a check.
type row struct{ check, step string }

func Of(rec *exchange.Recording) *History {
	all := make([]Exchange, len(rec.Exchanges))
	for i, x := range rec.Exchanges {
		all[i] = ReadExchange(x)
	}
	return From(rec.Meta, rec.End, all)
}

// From makes a history of exchanges that are already parsed.
func From(meta exchange.Meta, end *exchange.End, all []Exchange) *History {
	h := &History{Meta: meta, End: end, All: all, byCheck: map[string][]int{}}
	for i, x := range all {
		h.byCheck[x.Check] = append(h.byCheck[x.Check], i)
	}
	h.derive()
	return h
}

// ReadExchange parses the body of one exchange.
func ReadExchange(x exchange.Exchange) Exchange {
	r := Exchange{Exchange: x}
	switch {
	case x.Failure != nil && x.Failure.Kind == exchange.TooLarge: // the first part is no JSON value
		r.Malformed = exchange.ErrTooLarge
	case x.Response != nil:
		r.Body = parse(x.Response.Body)
	}
	r.once = derive(&r)
	return r
}

// Exchanges are those of the history, as they are recorded.
func (h *History) Exchanges() []exchange.Exchange {
	all := make([]exchange.Exchange, len(h.All))
	for i, x := range h.All {
		all[i] = x.Exchange
	}
	return all
}

// With returns the history of rec, which must differ from h's recording only in the exchanges with the indexes changed.
// The other exchanges are not parsed again.
func (h *History) With(rec *exchange.Recording, changed ...int) *History {
	v := &History{Meta: h.Meta, End: h.End, All: slices.Clone(h.All), byCheck: h.byCheck}
	for _, i := range changed {
		v.All[i] = ReadExchange(rec.Exchanges[i])
	}
	v.derive()
	return v
}

// derive prepares what is derived from all exchanges, once and when it is needed.
func (h *History) derive() {
	h.byRow = sync.OnceValue(func() map[row][]int {
		by := map[row][]int{}
		for i, x := range h.All {
			by[row{x.Check, x.Step}] = append(by[row{x.Check, x.Step}], i)
		}
		return by
	})
	h.created = sync.OnceValue(func() []Creation { return creations(h.All) })
	h.owed = sync.OnceValue(func() []Creation { return owed(h) })
	h.shown = sync.OnceValue(func() map[string]time.Time { return firstShown(h.All) })
}

// Same reports whether x and y are copies of one parsed exchange.
func (x Exchange) Same(y Exchange) bool { return x.once != nil && x.once == y.once }

// Of returns the exchanges of a check, in the order of sending.
func (h *History) Of(check string) []Exchange { return h.at(h.byCheck[check]) }

// OfRow returns the exchanges of one row of a check, in the order of sending.
func (h *History) OfRow(check, step string) []Exchange { return h.at(h.byRow()[row{check, step}]) }

func (h *History) at(places []int) []Exchange {
	all := make([]Exchange, 0, len(places))
	for _, i := range places {
		all = append(all, h.All[i])
	}
	return all
}

// Created returns the animals that the run created, in the order of the exchanges.
func (h *History) Created() []Creation { return h.created() }

// Owed returns the animals that reads have to show: each was created by a valid request with a valid key, which was
// sent once. What becomes of any other is another requirement's.
func (h *History) Owed() []Creation { return h.owed() }

// MediaType is the media type of a response, in lower case and without parameters; "" if there is none. Several
// Content-Type headers that differ are joined by commas, because any of them could count.
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

func (x Exchange) IsJSON() bool { return x.MediaType() == "application/json" }

// IsError reports whether the status is 4xx or 5xx.
func (x Exchange) IsError() bool { return x.Status() >= 400 }

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

// Len is the number of elements of a listing's 200, or -1 if it is not an array.
func (x Exchange) Len() int {
	if _, ok := x.Pets(); !ok {
		return -1
	}
	return len(x.Value.([]any))
}

// AtLeast is the number of elements that the first part of a listing's 200 shows, and whether the listing is too large
// to be kept whole. The listing has at least that many.
func (x Exchange) AtLeast() (n int, ok bool) {
	if x.Operation != spec.ListPets || x.Status() != http.StatusOK || x.Failure == nil || x.Failure.Kind != exchange.TooLarge {
		return 0, false
	}
	return elementsIn(x.Response.Body), true
}

// Pet returns the animal of a createPet's 2xx or a getPet's 200.
func (x Exchange) Pet() (Pet, bool) {
	single := x.Operation == spec.CreatePet && x.Status()/100 == 2 || x.Operation == spec.GetPet && x.Status() == http.StatusOK
	if !single || !x.Answered() || x.Malformed != nil {
		return Pet{}, false
	}
	return petOf(x.Value)
}

// Shown returns the animals of a listing, a creation or a getPet that succeeded. It leaves out an object without any
// member of a Pet, which is not an animal.
func (x Exchange) Shown() []Pet {
	if pets, ok := x.Pets(); ok {
		return pets
	}
	if p, ok := x.Pet(); ok && p.Known() {
		return []Pet{p}
	}
	return nil
}

// Continues reports whether a listing names a next page: by a Link with rel=next (RFC 8288), or by a header of its own
// like X-Next-Page or X-Cursor. It may then be shorter than its limit, because the interface does not show how pages
// are reached.
func (x Exchange) Continues() bool {
	if x.Response == nil {
		return false
	}
	for name, values := range x.Response.Header {
		name, field := strings.ToLower(name), strings.Join(values, ",")
		if name == "link" && relNext.MatchString(field) ||
			strings.HasPrefix(name, "x-") && (strings.Contains(name, "next") || strings.Contains(name, "cursor")) && field != "" {
			return true
		}
	}
	return false
}

// relNext finds next among the relations of a Link, quoted or not.
var relNext = regexp.MustCompile(`(?i);\s*rel\s*=\s*("([^",;]*\s)?next(\s[^",;]*)?"|next\s*([,;]|$))`)

// Listing returns what a listing asks for: its limit, 20 if it has none, and its status, "" if it has none. plain is
// false if the answer is open, as to a limit of 0 or to a parameter that the interface does not show.
func (x Exchange) Listing() (limit int, status spec.PetStatus, plain bool) {
	limit, plain = spec.DefaultLimit, x.Operation == spec.ListPets
	for _, name := range x.Parameters() {
		value, _ := x.Asked(name)
		switch name {
		case "limit":
			n, err := strconv.Atoi(value)
			limit, plain = n, plain && err == nil && strconv.Itoa(n) == value && n >= spec.MinLimit && n <= spec.MaxLimit
		case "status":
			status = spec.PetStatus(value)
			plain = plain && status.Valid()
		default:
			plain = false
		}
	}
	return limit, status, plain
}

// HasRoom reports whether x is a listing that could show more animals, so that it has to show all with its status.
// byDefault is the limit of one that asks for none.
func (x Exchange) HasRoom(byDefault int) bool {
	limit, _, plain := x.Listing()
	if _, asked := x.Asked("limit"); !asked {
		limit = byDefault
	}
	return plain && x.Len() >= 0 && x.Len() < limit && !x.Continues()
}

// Asked returns a query parameter of the request, and whether it is there. One that is given twice is "".
func (x Exchange) Asked(parameter string) (string, bool) {
	q := x.Query()
	if !q.Has(parameter) {
		return "", false
	}
	if len(q[parameter]) > 1 { // the interface does not show which one counts
		return "", true
	}
	return q.Get(parameter), true
}

// Parameters are the names of the parameters in the query, in order.
func (x Exchange) Parameters() []string { return slices.Sorted(maps.Keys(x.Query())) }

// PetID is the unescaped petId of a getPet's path.
func (x Exchange) PetID() string {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	return unescape(strings.TrimPrefix(path, "/pets/"))
}
