package reference

import (
	"net/http"
	"strings"

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
}
