// Package history reads a recording in the terms of the interface: the animals that were created, and those that a
// listing shows. It reads leniently and does not judge, so that one fault leads to one finding.
package history

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/strictjson"
)

// Body is a parsed body.
type Body struct {
	Value     strictjson.Value // the body as JSON if Malformed is nil
	Malformed error            // why the body is not one JSON value in UTF-8
	Twice     string           // a member that an object of the body has twice, or ""
}

// Exchange is a recorded exchange with the parsed body of its response.
type Exchange struct {
	exchange.Exchange
	Body

	once *derived // shared by all copies of the exchange, so that it is derived only once
}

// derived is what judges ask of an exchange.
type derived struct {
	pets   []Pet
	isList bool
	query  url.Values
	posted Body
}

func (x Exchange) derived() *derived {
	if x.once != nil {
		return x.once
	}
	d := &derived{posted: Body{Malformed: errors.New("the body was not received whole")}}
	d.pets, d.isList = x.listed()
	_, query, _ := strings.Cut(x.Request.Path, "?")
	d.query, _ = url.ParseQuery(query)
	if x.Request.Incomplete == "" {
		d.posted = parse(x.Request.Body)
	}
	return d
}

// Query has the parameters of the request, as far as they can be read.
func (x Exchange) Query() url.Values { return x.derived().query }

// Posted is the parsed body of the request.
func (x Exchange) Posted() Body { return x.derived().posted }

// History is a recording with parsed bodies.
type History struct {
	Meta exchange.Meta
	End  *exchange.End
	All  []Exchange

	byRow   func() map[row][]Exchange
	created func() []Creation
	owed    func() []Creation
	shown   func() map[string]Sighting
}

// row names the request of a check; without a step, all of its requests.
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
	h := &History{Meta: meta, End: end, All: all}
	h.byRow = sync.OnceValue(func() map[row][]Exchange {
		by := map[row][]Exchange{}
		for _, x := range all {
			by[row{check: x.Check}] = append(by[row{check: x.Check}], x)
			if x.Step != "" {
				by[row{x.Check, x.Step}] = append(by[row{x.Check, x.Step}], x)
			}
		}
		return by
	})
	h.created = sync.OnceValue(func() []Creation { return creations(all) })
	h.owed = sync.OnceValue(func() []Creation { return owed(h) })
	h.shown = sync.OnceValue(func() map[string]Sighting { return firstShown(all) })
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
	r.once = r.derived()
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

// Of returns the exchanges of a check, in the order of sending.
func (h *History) Of(check string) []Exchange { return h.OfRow(check, "") }

// OfRow returns the exchanges of one row of a check, in the order of sending.
func (h *History) OfRow(check, step string) []Exchange { return h.byRow()[row{check, step}] }

// FirstShown returns the first response that showed an animal with the id.
func (h *History) FirstShown(id string) (Sighting, bool) {
	s, shown := h.shown()[id]
	return s, shown
}

// Sighting is an animal in a response.
type Sighting struct {
	Read *Exchange
	Pet  Pet
}

func firstShown(all []Exchange) map[string]Sighting {
	first := map[string]Sighting{}
	for i := range all {
		for _, p := range all[i].Shown() {
			if s, known := first[p.ID]; p.ID != "" && (!known || all[i].Ended().Before(s.Read.Ended())) {
				first[p.ID] = Sighting{&all[i], p}
			}
		}
	}
	return first
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
	values := slices.Compact(slices.Clone(x.Response.Header.Values("Content-Type")))
	field := strings.ToLower(strings.Join(values, ", "))
	if len(values) == 1 {
		field, _, _ = strings.Cut(field, ";")
	}
	return strings.TrimSpace(field)
}

func (x Exchange) IsJSON() bool { return x.MediaType() == "application/json" }

// IsError reports whether the status is 4xx or 5xx.
func (x Exchange) IsError() bool { return x.Status() >= 400 }

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

// PetID is the unescaped petId of a getPet's path.
func (x Exchange) PetID() string {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	escaped := strings.TrimPrefix(path, "/pets/")
	if id, err := url.PathUnescape(escaped); err == nil {
		return id
	}
	return escaped
}

// Outages returns the requests that failed because of an outage of the target. If a request was repeated and failed in
// the same way, its operation fails by itself, so the request is not among them; nor is another one of that operation
// that was not repeated before the run ended.
func (h *History) Outages() []Exchange {
	failed := map[row]bool{} // what came when the row was sent again
	own, last := map[spec.Operation]bool{}, map[int]bool{}
	var out []Exchange
	for _, x := range slices.Backward(h.All) {
		r := row{x.Check, x.Step}
		fails, again := failed[r]
		switch {
		case x.Failure == nil || x.Failure.Kind != exchange.Outage:
			failed[r] = x.Failure != nil || exchange.Unavailable(x.Status())
		case fails:
			own[x.Operation] = true
		default:
			out, last[x.N] = append(out, x), !again
		}
	}
	slices.Reverse(out)
	return slices.DeleteFunc(out, func(x Exchange) bool { return last[x.N] && own[x.Operation] })
}

// Judgeable returns h with the failure exchange.Outage in each exchange of an outage that did not end, since what came
// in it is not judged.
func (h *History) Judgeable() *History {
	unended := exchange.Unended(h.Exchanges())
	if len(unended) == 0 {
		return h
	}
	all := slices.Clone(h.All)
	for i, x := range all {
		if unended[x.N] && (x.Failure == nil || x.Failure.Kind != exchange.Outage) {
			all[i].Failure = &exchange.Failure{Kind: exchange.Outage, Detail: x.Symptom() + "; no later request was answered"}
		}
	}
	return From(h.Meta, h.End, all)
}
