package history

import (
	"errors"
	"net/url"
	"strings"
	"sync"

	"petconform/spec/exchange"
)

// derived is what judges ask of an exchange.
type derived struct {
	pets    []Pet
	isList  bool
	query   func() url.Values
	request func() sentBody
}

// sentBody is the parsed body of a request. value is nil if err is not.
type sentBody struct {
	value any
	twice string
	err   error
}

// derive reads the animals, which nearly every judge needs, at once. It parses the query and the request when they are needed.
func derive(x *Exchange) *derived {
	d := &derived{}
	d.pets, d.isList = x.readPets()
	path, request := x.Request.Path, x.Request
	d.query = sync.OnceValue(func() url.Values { return queryOf(path) })
	d.request = sync.OnceValue(func() sentBody { return readSent(request) })
	return d
}

// Query has the parameters of the request, as far as they can be read.
func (x Exchange) Query() url.Values {
	if x.once != nil {
		return x.once.query()
	}
	return queryOf(x.Request.Path)
}

func (x Exchange) sent() sentBody {
	if x.once != nil {
		return x.once.request()
	}
	return readSent(x.Request)
}

func queryOf(path string) url.Values {
	_, raw, _ := strings.Cut(path, "?")
	q, _ := url.ParseQuery(raw)
	return q
}

// errIncomplete is why a body that was not received whole is not parsed.
var errIncomplete = errors.New("the body was not received whole")

func readSent(r exchange.Request) (s sentBody) {
	if r.Incomplete != "" {
		return sentBody{err: errIncomplete}
	}
	s.value, s.twice, s.err = parse(r.Body)
	return s
}

// SentValue returns the request's body as JSON and a member that one of its objects has twice, or why it is not JSON.
func (x Exchange) SentValue() (value any, twice string, err error) {
	s := x.sent()
	return s.value, s.twice, s.err
}
