package explore

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// expectation is the answer that the interface demands of a request.
type expectation struct {
	// statuses are the allowed ones; none means that the answer is open.
	statuses    []int
	requirement spec.ID
	what        string
}

var anything = expectation{}

// expect returns the allowed answers to a request, by what the run knows of the animals.
func (r *reader) expect(x history.Exchange) expectation {
	switch {
	case !x.Named() || x.Operation == spec.StoreOrders:
		return anything
	case !x.Auth.Valid():
		return expectKey(x.Auth)
	}
	switch x.Operation {
	case spec.ListPets:
		return r.expectListing(x)
	case spec.CreatePet:
		e := r.expectCreation(x)
		if len(x.Request.Body) > invalid.LargeBody && len(e.statuses) > 0 {
			e.statuses = append(e.statuses, http.StatusRequestEntityTooLarge)
		}
		return e
	case spec.GetPet:
		return r.expectPet(x)
	}
	return anything
}

func expectKey(a exchange.Auth) expectation {
	c, _ := invalid.CredentialOf(a)
	if c.Breaks == "" {
		return anything
	}
	return expectation{[]int{http.StatusUnauthorized}, c.Breaks, "a request without a valid key"}
}

// asked reads the query of a listing. plain is false if the answer to the query is open.
func asked(x history.Exchange) (limit int, status spec.PetStatus, plain bool) {
	limit = spec.DefaultLimit
	_, raw, _ := strings.Cut(x.Request.Path, "?")
	seen := map[string]bool{}
	for _, pair := range strings.FieldsFunc(raw, func(c rune) bool { return c == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		if seen[name] {
			return 0, "", false
		}
		seen[name] = true
		switch name {
		case "limit":
			n, err := strconv.Atoi(value)
			if err != nil || strconv.Itoa(n) != value || n < spec.MinLimit || n > spec.MaxLimit {
				return 0, "", false
			}
			limit = n
		case "status":
			status = spec.PetStatus(value)
			if !status.Valid() {
				return 0, "", false
			}
		default:
			return 0, "", false
		}
	}
	return limit, status, true
}

// expectListing blames the limit if the same filter is answered elsewhere in the run, or else the filter.
func (r *reader) expectListing(x history.Exchange) expectation {
	_, status, plain := asked(x)
	if !plain {
		return anything
	}
	e := expectation{statuses: []int{http.StatusOK}, requirement: "LIST-1", what: "a listing"}
	_, limited := x.Asked("limit")
	if limited {
		e.requirement, e.what = "LIST-3", "a listing with a limit from 1 to 100"
	}
	if status != "" && !(limited && r.filtered[status]) {
		e.requirement, e.what = "LIST-6", "a listing with a status filter"
	}
	return e
}

// expectPet allows a 404 for an animal of the run, because a replica may lag; absent judges it.
func (r *reader) expectPet(x history.Exchange) expectation {
	if !r.h.Meta.AsOf.Before(spec.Removal) {
		return anything
	}
	id := x.PetID()
	n, err := strconv.ParseInt(id, 10, 64)
	switch {
	case err != nil && !strings.ContainsAny(id, "/"):
		return expectation{[]int{400, 404}, "GET-6", "a petId that is not an int64"}
	case err != nil || strconv.FormatInt(n, 10) != id:
		return anything // 007 and +7 are int64s to some readers
	}
	if c, ours := r.byID[id]; ours && c.Exchange.Ended().Before(x.Sent) {
		return expectation{[]int{200, 404}, "GET-1", "an animal that the run created"}
	}
	if r.stays(x) {
		return expectation{[]int{http.StatusOK}, "GET-1", "an animal that listings before and afterwards show"}
	}
	if p, ok := x.Pet(); ok && p.ID == id || r.seen[id] {
		return anything // another client created it, or it was being created
	}
	return expectation{[]int{404}, "GET-3", "an int64 without an animal"}
}

// stays reports whether listings that ended before x was sent, and others that were sent after x, show the animal that x asked for.
func (r *reader) stays(x history.Exchange) bool {
	before, after := false, false
	for _, y := range r.h.All {
		if before && after {
			break
		}
		if y.Operation == spec.ListPets && slices.ContainsFunc(y.Shown(), func(p history.Pet) bool { return p.ID == x.PetID() }) {
			before = before || y.Ended().Before(x.Sent)
			after = after || y.Sent.After(x.Ended())
		}
	}
	return before && after
}

// expectCreation decides whether a body must be refused with 400, accepted with 201, or is open. It blames a missing status only if
// no animal was created without one.
func (r *reader) expectCreation(x history.Exchange) expectation {
	if t := x.Request.Header.Get("Content-Type"); t != "application/json" {
		return anything
	}
	refused := func(id spec.ID, what string) expectation { return expectation{[]int{http.StatusBadRequest}, id, what} }
	if !utf8.Valid(x.Request.Body) || strings.HasPrefix(string(x.Request.Body), "\ufeff") {
		return anything // some readers repair it, others refuse it
	}
	value, twice, err := x.SentValue()
	members, isObject := value.(map[string]any)
	switch {
	case err != nil:
		return refused("CREATE-11", "a body that is not JSON")
	case !isObject:
		return refused("CREATE-11", "a body that is not a JSON object")
	case twice != "":
		return anything
	}
	name, has := members["name"]
	text, isText := name.(string)
	switch {
	case !has:
		return refused("CREATE-6", "a body without a name")
	case !isText:
		return refused("CREATE-8", "a name that is "+history.KindOf(name))
	}
	open, e := expectCategory(members, r.category)
	if e.requirement != "" {
		return e
	}
	status, given := members["status"]
	word, isWord := status.(string)
	switch {
	case given && status == nil:
		open = true
	case given && (!isWord || !spec.PetStatus(word).Valid()):
		return refused("CREATE-10", "a status that is "+history.KindOf(status))
	}
	if open || !ordinary(text) || !onlyNamed(members) || r.tooLong(x, text) {
		return anything // if it is accepted, the rules check that it is stored as it was sent
	}
	if !given && !r.omitted {
		return expectation{[]int{http.StatusCreated}, "CREATE-14", "a valid NewPet without a status"}
	}
	return expectation{[]int{http.StatusCreated}, "CREATE-1", "a valid NewPet"}
}

// tooLong reports whether a name was refused that is longer than any that was accepted, in bytes, in characters or in UTF-16 code
// units: limits on field lengths are not shown, and the run learns them from the refusal.
func (r *reader) tooLong(x history.Exchange, name string) bool {
	if x.Status()/100 != 4 {
		return false
	}
	return !slices.ContainsFunc(r.created, func(c history.Creation) bool { return len(c.Sent.Name()) >= len(name) }) ||
		!slices.ContainsFunc(r.created, func(c history.Creation) bool {
			return utf8.RuneCountInString(c.Sent.Name()) >= utf8.RuneCountInString(name)
		}) ||
		!slices.ContainsFunc(r.created, func(c history.Creation) bool { return units(c.Sent.Name()) >= units(name) })
}

// units is the length of a text in UTF-16 code units.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// expectCategory reports whether the acceptance of a category is open, or why it must be refused.
func expectCategory(members map[string]any, category int64) (open bool, e expectation) {
	value, has := members["categoryId"]
	if !has {
		return false, expectation{[]int{http.StatusBadRequest}, "CREATE-7", "a body without a categoryId"}
	}
	if n, exact := history.Int64(value); exact {
		return n != category, anything // another category may not exist
	}
	if _, err := strconv.ParseInt(history.Whole(value), 10, 64); err == nil {
		return true, anything // 7.0 and 1e2
	}
	return false, expectation{[]int{http.StatusBadRequest}, "CREATE-9", "a categoryId that is " + history.KindOf(value)}
}

// ordinary reports whether a name must be accepted: printable, at most 100 characters, with a letter, without spaces at its ends
// or two in a row, and not "null". The acceptance of other names is open.
func ordinary(name string) bool {
	return name != "null" && utf8.RuneCountInString(name) <= 100 && strings.TrimSpace(name) == name && !strings.Contains(name, "  ") &&
		strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) && c != '\u200d' })
}

func onlyNamed(members map[string]any) bool {
	for m := range members {
		if !slices.Contains([]string{"name", "categoryId", "status"}, m) {
			return false
		}
	}
	return true
}
