package behaviour

import (
	"net/url"
	"strconv"
	"strings"

	"petconform/spec"
)

// ReadFilter reads the parameters limit and status. Other parameters are ignored. A parameter that is given twice is
// refused, because either could be meant.
func (b *Behaviour) ReadFilter(c *Call) (refused *Refusal) {
	query, err := url.ParseQuery(strings.ReplaceAll(c.Request.URL.RawQuery, ";", "%3B")) // a semicolon separates nothing
	if err != nil {
		return Invalid("query_invalid", "The query is not percent-encoded.")
	}
	for _, name := range []string{"limit", "status"} {
		if len(query[name]) > 1 {
			return Invalid("parameter_twice", "The parameter %s is given twice.", name)
		}
	}
	if c.Filter.Limit, refused = b.Limit(query.Get("limit"), query.Has("limit")); refused != nil {
		return refused
	}
	if query.Has("status") {
		c.Filter.Status, refused = b.StatusFilter(query.Get("status"))
	}
	return refused
}

func readLimit(value string, given bool) (int, *Refusal) {
	if !given {
		return spec.DefaultLimit, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < spec.MinLimit || n > spec.MaxLimit || value[0] == '+' {
		return 0, Invalid("limit_invalid", "The limit must be an integer from %d to %d.", spec.MinLimit, spec.MaxLimit)
	}
	return n, nil
}

func ReadStatusFilter(value string) (spec.PetStatus, *Refusal) {
	if s := spec.PetStatus(value); s.Valid() {
		return s, nil
	}
	return "", Invalid("status_filter_invalid", "The status filter must be available, pending or sold.")
}

// listPets finds the animals.
func (b *Behaviour) listPets(c *Call) *Refusal {
	c.Pets = b.Find(c, c.Filter)
	return nil
}
