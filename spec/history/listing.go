package history

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Pets returns the animals of a listing's 200, and whether the body is an array. It leaves out elements that are not
// objects.
func (x Exchange) Pets() (pets []Pet, ok bool) {
	d := x.derived()
	return d.pets, d.isList
}

// listed reads what Pets returns.
func (x Exchange) listed() (pets []Pet, isList bool) {
	if x.Operation != spec.ListPets || x.Status() != http.StatusOK || !x.Answered() {
		return nil, false
	}
	for _, e := range x.Value.Elements {
		if p, ok := petOf(e); ok {
			pets = append(pets, p)
		}
	}
	return pets, x.Value.Kind == '[' // which it is not where the body is malformed
}

// Len is the number of elements of a listing's 200, or -1 if it is not an array.
func (x Exchange) Len() int {
	if _, ok := x.Pets(); !ok {
		return -1
	}
	return len(x.Value.Elements)
}

// AtLeast is Len, of a listing that was received whole. Of one that is too large it is the number of elements that the
// first part shows; the listing has at least that many.
func (x Exchange) AtLeast() (n int, whole bool) {
	if x.Operation != spec.ListPets || x.Status() != http.StatusOK || x.Failure == nil || x.Failure.Kind != exchange.TooLarge {
		return x.Len(), true
	}
	return elementsIn(x.Response.Body), false
}

// Listing returns what a listing asks for: its limit, 20 if it has none, and its status, "" if it has none. plain is
// false if the answer is open, as to a limit of 0 or to a parameter that the interface does not show.
func (x Exchange) Listing() (limit int, status spec.PetStatus, plain bool) {
	limit, plain = spec.DefaultLimit, x.Operation == spec.ListPets
	for name := range x.Query() {
		switch name {
		case "limit":
			n, inRange := x.Limit()
			limit, plain = n, plain && inRange
		case "status":
			value, _ := x.Asked(name)
			status = spec.PetStatus(value)
			plain = plain && status.Valid()
		default:
			plain = false
		}
	}
	return limit, status, plain
}

// Limit is the limit that a listing asks for, and whether it asks once for one within 1 to 100.
func (x Exchange) Limit() (n int, inRange bool) {
	text, _ := x.Asked("limit")
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= spec.MinLimit && n <= spec.MaxLimit
}

// HasRoom reports whether x is a listing that could show more animals, so that it has to show all with its status.
func (x Exchange) HasRoom() bool {
	limit, _, plain := x.Listing()
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
