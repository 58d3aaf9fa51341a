package history

import (
	"net/url"
	"strings"
	"sync"
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
	path, body := x.Request.Path, x.Request.Body
	d.query = sync.OnceValue(func() url.Values { return queryOf(path) })
	d.request = sync.OnceValue(func() sentBody { return readSent(body) })
	return d
}

func (x Exchange) query() url.Values {
	if x.once != nil {
		return x.once.query()
	}
	return queryOf(x.Request.Path)
}

func (x Exchange) sent() sentBody {
	if x.once != nil {
		return x.once.request()
	}
	return readSent(x.Request.Body)
}

func queryOf(path string) url.Values {
	_, raw, _ := strings.Cut(path, "?")
	q, _ := url.ParseQuery(raw)
	return q
}

func readSent(body []byte) (s sentBody) {
	s.value, s.twice, s.err = parse(body)
	return s
}

// SentValue returns the request's body as JSON and a member that one of its objects has twice, or why it is not JSON.
func (x Exchange) SentValue() (value any, twice string, err error) {
	s := x.sent()
	return s.value, s.twice, s.err
}
