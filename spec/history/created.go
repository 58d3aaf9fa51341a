package history

import (
	"net/http"
	"net/url"
)

// Creation is an animal that a request created.
type Creation struct {
	Exchange Exchange
	// Sent is the body of the request, when it is a JSON object.
	Sent Pet
	// Answered is the Pet of the answer; its ID may be "".
	Answered Pet
}

// creations finds every createPet that was answered 2xx with an object.
func creations(all []Exchange) []Creation {
	var out []Creation
	for _, x := range all {
		answered, ok := x.Pet()
		if !ok || x.Request.Method != http.MethodPost {
			continue
		}
		c := Creation{Exchange: x, Answered: answered}
		if sent := x.sent(); sent.err == nil {
			c.Sent, _ = petOf(sent.value)
		}
		out = append(out, c)
	}
	return out
}

// SentName is the name in a createPet's request body, "" when the body has none that can be read.
func (x Exchange) SentName() string {
	sent := x.sent()
	if sent.err != nil {
		return ""
	}
	p, _ := petOf(sent.value)
	return p.Name()
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// SentPet is a createPet's request body when it is one JSON object in which no member stands twice.
func (x Exchange) SentPet() (Pet, bool) {
	sent := x.sent()
	if sent.err != nil || sent.twice != "" {
		return Pet{}, false
	}
	return petOf(sent.value)
}
