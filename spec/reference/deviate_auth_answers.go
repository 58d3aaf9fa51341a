package reference

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"petconform/spec"
)

// credentialKind is what the Authorization header holds: nothing, something under Bearer, or something else.
type credentialKind int

const (
	keyMissing credentialKind = iota
	keyInvalid
	schemeWrong
)

func (c *call) credential() credentialKind {
	switch authorization := c.request.Header.Get("Authorization"); {
	case authorization == "":
		return keyMissing
	case authorization == "Bearer" || strings.HasPrefix(authorization, "Bearer "):
		return keyInvalid
	default:
		return schemeWrong
	}
}

// refuseAs refuses a credential of that kind with another status than 401.
func refuseAs(status int, kind credentialKind) func(*behaviour) {
	return unauthenticated(func(_ *behaviour, c *call, refused *refusal) *refusal {
		if c.operation != spec.Elsewhere && c.credential() == kind {
			return &refusal{status: status, code: "refused", message: "The request is refused."}
		}
		return refused
	})
}

// keyless selects the answers to requests without Authorization.
var keyless = calls(func(c *call) bool { return c.credential() == keyMissing })

var authAnswerDeviations = []Deviation{
	{Name: "auth-no-key-403", Breaks: ids("AUTH-2"), Suffers: "A client that asks for a key on 401 tells its user that the animals are forbidden.",
		apply: refuseAs(http.StatusForbidden, keyMissing)},
	{Name: "auth-no-key-redirected", Breaks: ids("AUTH-2"), Suffers: "A client without a key is sent to a login page and reads HTML.",
		apply: ofOperations.and(having(401)).and(keyless).then(redirected(http.StatusFound, func(*call) string { return "/login" }))},
	{Name: "auth-no-key-empty-list", Breaks: ids("AUTH-2"), Suffers: "A client without a key sees an empty shop and does not notice its mistake.",
		apply: on(spec.ListPets).and(having(401)).and(keyless).then(replaced(http.StatusOK, mediaJSON, "[]"))},
	{Name: "auth-invalid-key-403", Breaks: ids("AUTH-3"), Suffers: "A client that renews its key on 401 never renews it.",
		apply: refuseAs(http.StatusForbidden, keyInvalid)},
	{Name: "auth-invalid-key-500", Breaks: ids("AUTH-3"), May: ids("ERROR-7"), Suffers: "A client with a wrong key retries for ever.",
		apply: refuseAs(http.StatusInternalServerError, keyInvalid)},
	{Name: "auth-wrong-scheme-400", Breaks: ids("AUTH-4"), Suffers: "A client does not learn that its credential has the wrong scheme.",
		apply: refuseAs(http.StatusBadRequest, schemeWrong)},
	{Name: "auth-orders-hidden", Breaks: ids("AUTH-2", "AUTH-3", "AUTH-4"), Suffers: "A client without a valid key concludes that there are no orders.",
		apply: on(spec.StoreOrders).and(having(401)).then(withStatus(http.StatusNotFound))},
}

// before401 runs check on a call of op that is about to be answered 401. A refusal by check is answered instead.
func before401(op spec.Operation, check func(b *behaviour, c *call) *refusal) func(*behaviour) {
	return unauthenticated(func(b *behaviour, c *call, refused *refusal) *refusal {
		if c.operation != op {
			return refused
		}
		return cmp.Or(check(b, c), refused)
	})
}

// refuseValid answers 401 to calls with a valid key.
func refuseValid(is func(*call) bool) func(*behaviour) {
	return func(b *behaviour) {
		b.authenticate = after(b.authenticate, func(c *call, refused *refusal) *refusal {
			if refused != nil || c.operation == spec.Elsewhere || !is(c) {
				return refused
			}
			c.account = nil
			return unauthorized("The API key is not valid.")
		})
	}
}

// createAnyway creates the animal of a request that is refused for another reason than its body.
func (b *behaviour) createAnyway(c *call) *refusal {
	if b.readNewPet(c) == nil {
		_ = b.create(c)
	}
	return nil
}

func lookUp(b *behaviour, c *call) *refusal {
	if refused := b.readPetID(c); refused != nil {
		return refused
	}
	return b.getPet(c)
}

var byNinth = every(9)

var authOrderDeviations = slices.Concat(
	table(Deviation{Breaks: ids("AUTH-5")}, []Deviation{
		{Name: "auth-after-validation", Suffers: "A client without a key can probe which bodies the service accepts.",
			apply: before401(spec.CreatePet, (*behaviour).readNewPet)},
		{Name: "auth-after-media-type", Suffers: "A client without a key gets 415 from a router that matches the media type first.",
			apply: before401(spec.CreatePet, func(_ *behaviour, c *call) *refusal { return jsonOnly(c) })},
		{Name: "auth-after-parameters", Suffers: "A client without a key learns which parameters are valid.",
			apply: before401(spec.ListPets, (*behaviour).readFilter)},
		{Name: "auth-after-status-filter", Suffers: "A client without a key learns which values of status are valid.",
			apply: before401(spec.ListPets, func(_ *behaviour, c *call) (refused *refusal) {
				if status := c.request.URL.Query().Get("status"); status != "" {
					_, refused = readStatusFilter(status)
				}
				return refused
			})},
		{Name: "auth-after-petid", Suffers: "A client without a key gets 404 from a route that takes only numbers.",
			apply: before401(spec.GetPet, (*behaviour).readPetID)},
		{Name: "auth-after-lookup", May: ids("AUTH-2", "AUTH-3", "AUTH-4"), Suffers: "A client without a key can find out which animals exist.",
			apply: before401(spec.GetPet, lookUp)},
	}),
	[]Deviation{
		{Name: "auth-401-creates", Breaks: ids("AUTH-6"), Suffers: "A client without a key fills the shop, although each of its requests is refused.",
			apply: before401(spec.CreatePet, (*behaviour).createAnyway)},
		{Name: "auth-valid-key-refused-now-and-then", Breaks: ids("AUTH-1"), Suffers: "Every ninth request is refused, because one server does not know the key.",
			apply: refuseValid(func(c *call) bool { return byNinth(c, nil) })},
		{Name: "auth-valid-key-refused-on-get", Breaks: ids("AUTH-1"), May: ids("GET-1", "GET-3", "CREATE-13"), Suffers: "The deprecated operation accepts no key and is unusable before its removal.",
			apply: refuseValid(func(c *call) bool { return c.operation == spec.GetPet })},
		{Name: "auth-valid-key-refused-with-filter", Breaks: ids("AUTH-1"), May: ids("LIST-6", "LIST-8"), Suffers: "A client that filters by status is refused.",
			apply: refuseValid(func(c *call) bool { return strings.Contains(c.request.URL.RawQuery, "status=") })},
		{Name: "auth-valid-key-refused-after-401", Breaks: ids("AUTH-1"), Suffers: "A client with a valid key is refused because the request before had none: the service caches the 401.",
			apply: func(b *behaviour) {
				var poisoned atomic.Bool
				unauthenticated(func(_ *behaviour, _ *call, refused *refusal) *refusal {
					poisoned.Store(true)
					return refused
				})(b)
				refuseValid(func(*call) bool { return poisoned.Swap(false) })(b)
			}},
	},
)
