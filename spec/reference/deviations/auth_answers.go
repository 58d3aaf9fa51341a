package deviations

import (
	"cmp"
	"slices"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// credentialKind is what the Authorization header holds: nothing, something under Bearer, or something else.
type credentialKind int

const (
	keyMissing credentialKind = iota
	keyInvalid
	schemeWrong
)

func credentialOf(c *Call) credentialKind {
	switch authorization := c.Request.Header.Get("Authorization"); {
	case authorization == "":
		return keyMissing
	case authorization == "Bearer" || strings.HasPrefix(authorization, "Bearer "):
		return keyInvalid
	default:
		return schemeWrong
	}
}

// refuseAs refuses a credential of that kind with another status than 401.
func refuseAs(status int, kind credentialKind) Change {
	return Unauthenticated(func(_ *Behaviour, c *Call, refused *Refusal) *Refusal {
		if c.Operation != spec.Elsewhere && credentialOf(c) == kind {
			return Refused(status, "refused", "The request is refused.")
		}
		return refused
	})
}

// keyless selects the answers to requests without Authorization.
var keyless = Calls(func(c *Call) bool { return credentialOf(c) == keyMissing })

var authAnswerRows = faults()(
	fault("auth-no-key-403", refuseAs(403, keyMissing), breaks("AUTH-2")),
	fault("auth-no-key-empty-list",
		On(spec.ListPets).And(Having(401)).And(keyless).Then(Replaced(200, MediaJSON, "[]")), breaks("AUTH-2")),
	fault("auth-invalid-key-403", refuseAs(403, keyInvalid), breaks("AUTH-3")),
	fault("auth-invalid-key-500", refuseAs(500, keyInvalid), breaks("AUTH-3"), may("ERROR-7")),
	fault("auth-wrong-scheme-400", refuseAs(400, schemeWrong), breaks("AUTH-4")),
	fault("auth-orders-hidden",
		On(spec.StoreOrders).And(Having(401)).Then(WithStatus(404)), breaks("AUTH-2", "AUTH-3", "AUTH-4")),
)

// before401 runs check on a call of op that is about to be answered 401. A refusal by check is answered instead.
func before401(op spec.Operation, check func(b *Behaviour, c *Call) *Refusal) Change {
	return Unauthenticated(func(b *Behaviour, c *Call, refused *Refusal) *Refusal {
		if c.Operation != op {
			return refused
		}
		return cmp.Or(check(b, c), refused)
	})
}

// refuseValid answers 401 to calls with a valid key.
func refuseValid(is func(*Call) bool) Change {
	return func(b *Behaviour) {
		b.Authenticate = After(b.Authenticate, func(c *Call, refused *Refusal) *Refusal {
			if refused != nil || c.Operation == spec.Elsewhere || !is(c) {
				return refused
			}
			c.Account = nil
			return Unauthorized("The API key is not valid.")
		})
	}
}

// createAnyway creates the animal of a request that is refused for another reason than its body.
func createAnyway(b *Behaviour, c *Call) *Refusal {
	if b.ReadNewPet(c) == nil {
		_ = b.Create(c)
	}
	return nil
}

func lookUp(b *Behaviour, c *Call) *Refusal {
	if refused := b.ReadPetID(c); refused != nil {
		return refused
	}
	return b.GetPet(c)
}

var byNinth = Every(9)

var authOrderRows = slices.Concat(
	faults(breaks("AUTH-5"))(
		fault("auth-after-media-type",
			before401(spec.CreatePet, func(_ *Behaviour, c *Call) *Refusal { return JSONOnly(c) })),
		fault("auth-after-parameters", before401(spec.ListPets, (*Behaviour).ReadFilter)),
		fault("auth-after-status-filter", before401(spec.ListPets, func(_ *Behaviour, c *Call) (refused *Refusal) {
			if status := c.Request.URL.Query().Get("status"); status != "" {
				_, refused = ReadStatusFilter(status)
			}
			return refused
		})),
		fault("auth-after-lookup", before401(spec.GetPet, lookUp), may("AUTH-2", "AUTH-3", "AUTH-4")),
	),
	faults()(
		fault("auth-401-creates", before401(spec.CreatePet, createAnyway), breaks("AUTH-6")),
		fault("auth-valid-key-refused-now-and-then",
			refuseValid(func(c *Call) bool { return byNinth(c, nil) }), breaks("AUTH-1")),
		fault("auth-valid-key-refused-on-get",
			refuseValid(func(c *Call) bool { return c.Operation == spec.GetPet }),
			breaks("AUTH-1"), may("GET-1", "GET-3", "CREATE-13")),
		fault("auth-valid-key-refused-with-filter",
			refuseValid(func(c *Call) bool { return strings.Contains(c.Request.URL.RawQuery, "status=") }),
			breaks("AUTH-1"), may("LIST-6", "LIST-8")),
	),
)
