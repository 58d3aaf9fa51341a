package behaviour

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// BasePath is the prefix of every path: both base addresses of the interface end in it.
const BasePath = "/v1"

// Route finds the operation that a method and an escaped path call.
func (c *Call) Route(method, path string) {
	path, below := strings.CutPrefix(path, BasePath)
	c.Operation, c.Path, c.PetID = spec.Elsewhere, "", ""
	if !below {
		return
	}
	c.Path, c.Operation = path, spec.OperationOf(method, path)
	if c.Operation != spec.GetPet {
		return
	}
	var err error
	if c.PetID, err = url.PathUnescape(path[len("/pets/"):]); err != nil {
		c.PetID = path[len("/pets/"):]
	}
}

// RefuseElsewhere answers a path or a method that the interface does not name.
func (b *Behaviour) RefuseElsewhere(c *Call) *Refusal {
	allow := "GET"
	switch {
	case spec.OperationOf(http.MethodPost, c.Path) != spec.Elsewhere:
		allow = "GET, POST"
	case spec.OperationOf(http.MethodGet, c.Path) == spec.Elsewhere:
		return NotFound("The interface names no such path.")
	}
	c.SetHeader("Allow", allow)
	return Refused(http.StatusMethodNotAllowed, "method_not_allowed", "The methods of this path are: "+allow+".")
}

// authenticate finds the account of the request's key.
func (b *Behaviour) authenticate(c *Call) *Refusal {
	if c.Account = b.account(c); c.Account != nil {
		return nil
	}
	message := "The API key is not valid."
	if bearerToken(c.Request) == "" {
		message = "Send an API key as Authorization: Bearer <API_KEY>."
	}
	return Refused(http.StatusUnauthorized, "unauthorized", message)
}

func (b *Behaviour) account(c *Call) *Account {
	token := bearerToken(c.Request)
	if i := slices.IndexFunc(b.Accounts, func(a *Account) bool { return a.Secret == token }); i >= 0 {
		return b.Accounts[i]
	}
	return nil
}

// bearerToken reads the token of the scheme Bearer, whose case does not matter (RFC 9110, section 11.1). Two
// Authorization headers are refused, because either could be meant.
func bearerToken(r *http.Request) string {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.Trim(token, " ")
}

// ReadFilter reads the parameters limit and status. Other parameters are ignored. A parameter that is given twice is
// refused, because either could be meant.
func (b *Behaviour) ReadFilter(c *Call) *Refusal {
	query, err := url.ParseQuery(strings.ReplaceAll(c.Request.URL.RawQuery, ";", "%3B")) // a semicolon separates nothing
	if err != nil {
		return Invalid("query_invalid", "The query is not percent-encoded.")
	}
	for _, name := range []string{"limit", "status"} {
		if len(query[name]) > 1 {
			return Invalid("parameter_twice", "The parameter %s is given twice.", name)
		}
	}
	c.Filter = store.Query{Limit: spec.DefaultLimit, Status: spec.PetStatus(query.Get("status"))}
	if query.Has("limit") {
		value := query.Get("limit")
		n, err := strconv.Atoi(value)
		if err != nil || n < spec.MinLimit || n > spec.MaxLimit || value[0] == '+' {
			return Invalid("limit_invalid", "The limit must be an integer from %d to %d.", spec.MinLimit, spec.MaxLimit)
		}
		c.Filter.Limit = n
	}
	if query.Has("status") && !c.Filter.Status.Valid() {
		return Invalid("status_filter_invalid", "The status filter must be available, pending or sold.")
	}
	return nil
}

// ReadPetID reads getPet's path parameter. A petId that is not an int64 is answered 404, because the interface shows
// no 400 for getPet.
func (b *Behaviour) ReadPetID(c *Call) *Refusal {
	id, err := strconv.ParseInt(c.PetID, 10, 64)
	if err != nil {
		return NotFound("There is no such animal: a petId is an int64.")
	}
	c.ID = id
	return nil
}

// GetPet finds the animal.
func (b *Behaviour) GetPet(c *Call) *Refusal {
	day := c.Now
	if !b.AsOf.IsZero() {
		day = b.AsOf
	}
	if !day.Before(spec.Removal.AddDate(0, 0, 1)) {
		return Refused(http.StatusGone, "removed", "This operation was removed on 5 December 2030. List animals instead.")
	}
	pet, found := b.Store.Get(c.ID)
	if !found {
		return NotFound("There is no animal with the id %d.", c.ID)
	}
	c.Pet = pet
	return nil
}
