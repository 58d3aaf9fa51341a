package reference

import (
	"net/http"
	"strings"
	"sync/atomic"

	"petconform/spec"
)

// credentialKind sorts what came in Authorization: nothing, something under Bearer, or something else.
type credentialKind int

const (
	keyMissing credentialKind = iota
	keyInvalid
	schemeWrong
)

func kindOf(authorization string) credentialKind {
	switch {
	case authorization == "":
		return keyMissing
	case authorization == "Bearer" || strings.HasPrefix(authorization, "Bearer "):
		return keyInvalid
	default:
		return schemeWrong
	}
}

// refuseAs answers a credential of one kind with another status than 401.
func (b *behaviour) refuseAs(status int, meant ...credentialKind) {
	strict := b.authenticate
	b.authenticate = func(c *call) *refusal {
		refused := strict(c)
		for _, kind := range meant {
			if refused != nil && c.operation != spec.Elsewhere && kind == kindOf(c.request.Header.Get("Authorization")) {
				return &refusal{status: status, code: "refused", message: "The request is refused."}
			}
		}
		return refused
	}
}

// before401 runs something before a request is answered 401; what it refuses is answered instead.
func (b *behaviour) before401(run func(*call) *refusal) {
	strict := b.authenticate
	b.authenticate = func(c *call) *refusal {
		refused := strict(c)
		if refused == nil {
			return nil
		}
		if other := run(c); other != nil {
			return other
		}
		return refused
	}
}

// refuseValid answers 401 to valid keys now and then.
func (b *behaviour) refuseValid(now func(*call) bool) {
	strict := b.authenticate
	b.authenticate = func(c *call) *refusal {
		if refused := strict(c); refused != nil {
			return refused
		}
		if c.operation != spec.Elsewhere && now(c) {
			c.account = nil
			return unauthorized("The API key is not valid.")
		}
		return nil
	}
}

func onlyFor(op spec.Operation, run func(*call) *refusal) func(*call) *refusal {
	return func(c *call) *refusal {
		if c.operation != op {
			return nil
		}
		return run(c)
	}
}

var authAnswerDeviations = []Deviation{
	{
		Name: "auth-no-key-403", Breaks: ids("AUTH-2"),
		Suffers: "A client that asks for a key on 401 tells its user instead that the animals are forbidden.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusForbidden, keyMissing) },
	},
	{
		Name: "auth-no-key-400", Breaks: ids("AUTH-2"),
		Suffers: "A missing key looks like a malformed request.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusBadRequest, keyMissing) },
	},
	{
		Name: "auth-no-key-redirected", Breaks: ids("AUTH-2"),
		Suffers: "A client without a key is sent to a login page and reads HTML.",
		apply: func(b *behaviour) {
			b.alter(having(401), func(c *call, a *answer) {
				if kindOf(c.request.Header.Get("Authorization")) == keyMissing && c.operation != spec.Elsewhere {
					c.header.Set("Location", "/login")
					*a = answer{status: http.StatusFound}
				}
			})
		},
	},
	{
		Name: "auth-no-key-empty-list", Breaks: ids("AUTH-2"),
		Suffers: "A client without a key sees an empty shop instead of its mistake.",
		apply: func(b *behaviour) {
			b.alter(on(spec.ListPets).and(having(401)), func(c *call, a *answer) {
				if kindOf(c.request.Header.Get("Authorization")) == keyMissing {
					*a = answer{http.StatusOK, mediaJSON, []byte("[]")}
				}
			})
		},
	},
	{
		Name: "auth-invalid-key-403", Breaks: ids("AUTH-3"),
		Suffers: "A client that renews its key on 401 never does.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusForbidden, keyInvalid) },
	},
	{
		Name: "auth-invalid-key-404", Breaks: ids("AUTH-3"),
		Suffers: "A wrong key looks like a wrong address.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusNotFound, keyInvalid) },
	},
	{
		Name: "auth-invalid-key-500", Breaks: ids("AUTH-3"), May: ids("ERROR-7"),
		Suffers: "A client retries for ever what its wrong key can never get.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusInternalServerError, keyInvalid) },
	},
	{
		Name: "auth-wrong-scheme-400", Breaks: ids("AUTH-4"),
		Suffers: "A wrong scheme is not recognised as a matter of the credential.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusBadRequest, schemeWrong) },
	},
	{
		Name: "auth-wrong-scheme-403", Breaks: ids("AUTH-4"),
		Suffers: "A wrong scheme looks like a right that is missing.",
		apply:   func(b *behaviour) { b.refuseAs(http.StatusForbidden, schemeWrong) },
	},
	{
		Name: "auth-orders-hidden", Breaks: ids("AUTH-2", "AUTH-3", "AUTH-4"),
		Suffers: "Without a valid key the orders seem not to exist, so nobody looks at the key.",
		apply: func(b *behaviour) {
			b.alter(on(spec.StoreOrders).and(having(401)), withStatus(http.StatusNotFound))
		},
	},
	{
		Name: "auth-after-validation", Breaks: ids("AUTH-5"),
		Suffers: "Whoever has no key can probe what bodies the service takes.",
		apply: func(b *behaviour) {
			b.before401(onlyFor(spec.CreatePet, b.readNewPet))
		},
	},
	{
		Name: "auth-after-parsing", Breaks: ids("AUTH-5"),
		Suffers: "A body that is no JSON is complained of before the key, so the caller mends the wrong thing.",
		apply: func(b *behaviour) {
			b.before401(onlyFor(spec.CreatePet, func(c *call) *refusal {
				if refused := b.readBody(c); refused != nil {
					return refused
				}
				if _, err := b.parse(c.body); err != nil {
					return invalid("body_invalid", "The body is not JSON.")
				}
				return nil
			}))
		},
	},
	{
		Name: "auth-after-media-type", Breaks: ids("AUTH-5"),
		Suffers: "A router that matches the media type answers 415 to whoever has no key.",
		apply:   func(b *behaviour) { b.before401(onlyFor(spec.CreatePet, jsonOnly)) },
	},
	{
		Name: "auth-after-parameters", Breaks: ids("AUTH-5"),
		Suffers: "Whoever has no key learns which parameters are valid.",
		apply:   func(b *behaviour) { b.before401(onlyFor(spec.ListPets, b.readFilter)) },
	},
	{
		Name: "auth-after-petid", Breaks: ids("AUTH-5"),
		Suffers: "A route that takes only numbers answers 404 before the key was looked at.",
		apply:   func(b *behaviour) { b.before401(onlyFor(spec.GetPet, b.readPetID)) },
	},
	{
		Name: "auth-after-lookup", Breaks: ids("AUTH-5"), May: ids("AUTH-2", "AUTH-3", "AUTH-4"),
		Suffers: "Whoever has no key can find out which animals exist.",
		apply: func(b *behaviour) {
			b.before401(onlyFor(spec.GetPet, func(c *call) *refusal {
				if refused := b.readPetID(c); refused != nil {
					return refused
				}
				return b.getPet(c)
			}))
		},
	},
	{
		Name: "auth-401-creates", Breaks: ids("AUTH-6"),
		Suffers: "Whoever has no key can fill the shop, and sees only refusals.",
		apply:   func(b *behaviour) { b.createDespite(func(*call) bool { return true }) },
	},
	{
		Name: "auth-401-creates-for-unknown-keys", Breaks: ids("AUTH-6"),
		Suffers: "An expired key goes on creating animals that its owner takes for refused.",
		apply: func(b *behaviour) {
			b.createDespite(func(c *call) bool { return kindOf(c.request.Header.Get("Authorization")) == keyInvalid })
		},
	},
	{
		Name: "auth-valid-key-refused-now-and-then", Breaks: ids("AUTH-1"),
		Suffers: "One of several servers does not know the key: every ninth request is refused.",
		apply: func(b *behaviour) {
			var n atomic.Int64
			b.refuseValid(func(*call) bool { return n.Add(1)%9 == 0 })
		},
	},
	{
		Name: "auth-valid-key-refused-on-get", Breaks: ids("AUTH-1"), May: ids("GET-1", "GET-3", "CREATE-13"),
		Suffers: "The deprecated operation was forgotten when keys moved, and is unusable before its time.",
		apply:   func(b *behaviour) { b.refuseValid(func(c *call) bool { return c.operation == spec.GetPet }) },
	},
	{
		Name: "auth-valid-key-refused-with-filter", Breaks: ids("AUTH-1"), May: ids("LIST-6", "LIST-8"),
		Suffers: "A signature over the path fails as soon as there is a query with a status.",
		apply: func(b *behaviour) {
			b.refuseValid(func(c *call) bool { return strings.Contains(c.request.URL.RawQuery, "status=") })
		},
	},
	{
		Name: "auth-valid-key-refused-after-401", Breaks: ids("AUTH-1"),
		Suffers: "A negative answer is cached for the next request, whoever makes it.",
		apply: func(b *behaviour) {
			var poisoned atomic.Bool
			b.before401(func(*call) *refusal { poisoned.Store(true); return nil })
			b.refuseValid(func(*call) bool { return poisoned.Swap(false) })
		},
	},
}

// createDespite carries out a createPet that is answered 401.
func (b *behaviour) createDespite(also func(*call) bool) {
	b.before401(onlyFor(spec.CreatePet, func(c *call) *refusal {
		if also(c) && b.readNewPet(c) == nil {
			_ = b.create(c)
		}
		return nil
	}))
}
