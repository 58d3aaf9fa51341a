package reference

import (
	"log/slog"
	"net/url"
	"strconv"
	"strings"

	"petconform/spec"
)

// readFilter reads the parameters limit and status. Other parameters are ignored. A parameter that is given twice is
// refused, because either could be meant.
func (b *behaviour) readFilter(c *call) (refused *refusal) {
	query, err := url.ParseQuery(strings.ReplaceAll(c.request.URL.RawQuery, ";", "%3B")) // a semicolon separates nothing
	if err != nil {
		return invalid("query_invalid", "The query is not percent-encoded.")
	}
	for _, name := range []string{"limit", "status"} {
		if len(query[name]) > 1 {
			return invalid("parameter_twice", "The parameter %s is given twice.", name)
		}
	}
	if c.filter.limit, refused = b.limit(query.Get("limit"), query.Has("limit")); refused != nil {
		return refused
	}
	if query.Has("status") {
		c.filter.status, refused = b.statusFilter(query.Get("status"))
	}
	return refused
}

func readLimit(value string, given bool) (int, *refusal) {
	if !given {
		return spec.DefaultLimit, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < spec.MinLimit || n > spec.MaxLimit || value[0] == '+' {
		return 0, invalid("limit_invalid", "The limit must be an integer from %d to %d.", spec.MinLimit, spec.MaxLimit)
	}
	return n, nil
}

func readStatusFilter(value string) (spec.PetStatus, *refusal) {
	if s := spec.PetStatus(value); s.Valid() {
		return s, nil
	}
	return "", invalid("status_filter_invalid", "The status filter must be available, pending or sold.")
}

// listPets finds the animals.
func (b *behaviour) listPets(c *call) *refusal {
	pets, err := b.find(c, c.filter)
	if err != nil {
		c.service.complain(c, "the animals could not be listed", slog.Any("error", err))
		return internal()
	}
	c.pets = pets
	return nil
}
