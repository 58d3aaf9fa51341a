package reference

import (
	"net/http"
	"strings"

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
