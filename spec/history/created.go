package history

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"

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

// Told is the animal as results have it.
func (c Creation) Told() verdict.Created {
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
		sent, _ := petOf(x.sent().value)
		out = append(out, Creation{Exchange: x, Sent: sent, Answered: answered})
	}
	return out
}

// SentName is the name in a createPet's request body, or "".
func (x Exchange) SentName() string {
	p, _ := petOf(x.sent().value)
	return p.Name()
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// SentPet is a createPet's request body, if it is one JSON object without a member given twice.
func (x Exchange) SentPet() (Pet, bool) {
	sent := x.sent()
	if sent.err != nil || sent.twice != "" {
		return Pet{}, false
	}
	return petOf(sent.value)
}
