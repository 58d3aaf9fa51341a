package rules

import (
	"fmt"
	"net/http"
	"strings"

	"petconform/spec/history"
)

func keyRules() []Rule {
	refused := func(x history.Exchange) bool { return failure(x) && x.Status() == http.StatusUnauthorized }
	// A 401 may offer several schemes, in one field or in several.
	offers := func(x history.Exchange) string {
		return strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")
	}
	return []Rule{
		// The interface does not show what GET /store/orders answers to a valid key.
		one("key-accepted", "The key is accepted by every operation", "AUTH-1",
			func(x history.Exchange) bool { return x.Auth.Valid() && shown(x) },
			func(x history.Exchange) bool { return x.Status() != http.StatusUnauthorized },
			func(x history.Exchange) told {
				return told{fmt.Sprintf("%s with the key as a bearer token", x.Operation), "a response other than 401", answer(x)}
			}),
		one("challenge", "A 401 names its scheme", "AUTH-7", refused,
			func(x history.Exchange) bool { return strings.Contains(strings.ToLower(offers(x)), "bearer") },
			func(x history.Exchange) told {
				got := "no WWW-Authenticate"
				if field := offers(x); field != "" {
					got = "WWW-Authenticate: " + clip(field)
				}
				return told{"the challenge of a 401", "WWW-Authenticate: Bearer", got}
			}),
	}
}
