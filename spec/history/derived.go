package history

import (
	"errors"
	"net/url"
	"strings"
	"sync"
)

// derived is what judges ask of an exchange.
type derived struct {
	pets   []Pet
	isList bool
	query  func() url.Values
	posted func() Body
}

// derive reads the animals, which nearly every judge needs, at once. It parses the query and the request when they are
// needed.
func derive(x *Exchange) *derived {
	d := &derived{}
	d.pets, d.isList = x.readPets()
	path, request := x.Request.Path, x.Request
	d.query = sync.OnceValue(func() url.Values {
		_, raw, _ := strings.Cut(path, "?")
		q, _ := url.ParseQuery(raw)
		return q
	})
	d.posted = sync.OnceValue(func() Body {
		if request.Incomplete != "" {
			return Body{Malformed: errIncomplete}
		}
		return parse(request.Body)
	})
	return d
}

// errIncomplete is why a body that was not received whole is not parsed.
var errIncomplete = errors.New("the body was not received whole")

func (x Exchange) derived() *derived {
	if x.once == nil {
		return derive(&x)
	}
	return x.once
}

// Query has the parameters of the request, as far as they can be read.
func (x Exchange) Query() url.Values { return x.derived().query() }

// Posted is the parsed body of the request.
func (x Exchange) Posted() Body { return x.derived().posted() }

// Pets returns the animals of a listing's 200, and whether the body is an array. It leaves out elements that are not
// objects.
func (x Exchange) Pets() (pets []Pet, ok bool) {
	d := x.derived()
	return d.pets, d.isList
}
