package rules

import (
	"fmt"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

func keyRules() []Rule {
	return []Rule{
		{ID: "key-accepted", Title: "The key is accepted by every operation", Proves: []spec.ID{"AUTH-1"}, Each: keyAccepted},
		{ID: "challenge", Title: "A 401 names its scheme", Proves: []spec.ID{"AUTH-7"}, Each: challenge},
	}
}

// keyAccepted leaves out GET /store/orders: the interface does not show its response to a valid key.
func keyAccepted(x history.Exchange) Reading {
	if !x.Auth.Valid() || !x.Answered() || !x.Named() || x.Operation == spec.StoreOrders {
		return notConcerned
	}
	if x.Status() == http.StatusUnauthorized {
		return reading(broken("AUTH-1", fmt.Sprintf("%s with the key as a bearer token", x.Operation),
			"a response other than 401", "401: "+x.Excerpt()))
	}
	return reading()
}

func challenge(x history.Exchange) Reading {
	if !failure(x) || x.Status() != http.StatusUnauthorized {
		return notConcerned
	}
	// A 401 may offer several schemes, in one field or in several.
	field := strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")
	if !strings.Contains(strings.ToLower(field), "bearer") {
		got := "no WWW-Authenticate"
		if field != "" {
			got = "WWW-Authenticate: " + clip(field)
		}
		return reading(broken("AUTH-7", "the challenge of a 401", "WWW-Authenticate: Bearer", got))
	}
	return reading()
}
