package reference

import (
	"strings"
	"sync/atomic"

	"petconform/spec"
)

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

// AUTH-5, AUTH-6 and AUTH-1: the key is judged first, a 401 has no effect, and a valid key gets none.
var authOrderDeviations = []Deviation{
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
