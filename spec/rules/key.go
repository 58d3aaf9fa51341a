package rules

import (
	"net/http"
	"strings"

	"petconform/spec/history"
)

var keyRules = []Rule{
	// The interface does not show what GET /store/orders answers to a valid key.
	ofKey(One("key-accepted", "The key is accepted by every operation", "AUTH-1",
		func(x history.Exchange) bool { return x.Auth.Valid() && shown(x) },
		"{operation} with the key as a bearer token", "a response other than 401",
		unless(func(x history.Exchange) bool { return x.Status() != http.StatusUnauthorized }, answer))),
	One("challenge", "A 401 names its scheme", "AUTH-7",
		func(x history.Exchange) bool { return failure(x) && x.Status() == http.StatusUnauthorized },
		"the challenge of a 401", "WWW-Authenticate: Bearer", otherScheme),
}

// otherScheme is the challenge of a 401 that lacks Bearer. It may offer several schemes, in one field or in several.
func otherScheme(x history.Exchange) string {
	offers := strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")
	switch {
	case strings.Contains(strings.ToLower(offers), "bearer"):
		return ""
	case offers == "":
		return "no WWW-Authenticate"
	}
	return "WWW-Authenticate: " + clip(offers)
}
