package deviations

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// credentialMatch says whether an Authorization header is accepted for a key.
type credentialMatch func(authorization, secret string) bool

// accept lets a request through that would be refused, when its Authorization header matches a key.
func accept(ops []spec.Operation, matches credentialMatch) Change {
	return Unauthenticated(func(_ *Behaviour, c *Call, refused *Refusal) *Refusal {
		for _, a := range c.Service.Accounts {
			if slices.Contains(ops, c.Operation) && matches(c.Request.Header.Get("Authorization"), a.Secret) {
				c.Account = a
				return nil
			}
		}
		return refused
	})
}

// acceptToken lets a request through that has a key in another place.
func acceptToken(token func(r *http.Request) string) Change {
	return Unauthenticated(func(_ *Behaviour, c *Call, refused *Refusal) *Refusal {
		if c.Account = c.Service.AccountOf(token(c.Request)); c.Account != nil {
			return nil
		}
		return refused
	})
}

func noKey(authorization, _ string) bool        { return authorization == "" }
func emptyKey(authorization, _ string) bool     { return strings.TrimSpace(authorization) == "Bearer" }
func anyKey(authorization, _ string) bool       { return strings.HasPrefix(authorization, "Bearer ") }
func bareKey(authorization, secret string) bool { return authorization == secret }

func basicKey(authorization, secret string) bool {
	encoded, isBasic := strings.CutPrefix(authorization, "Basic ")
	plain, err := base64.StdEncoding.DecodeString(encoded)
	user, _, _ := strings.Cut(string(plain), ":")
	return isBasic && err == nil && user == secret
}

func anyScheme(authorization, secret string) bool {
	_, token, _ := strings.Cut(authorization, " ")
	return token == secret
}

func anyLetters(authorization, secret string) bool {
	return len(authorization) > len("Bearer ") && authorization[len("Bearer "):] == secret
}

// similar accepts a bearer token that is similar to a key.
func similar(like func(secret, token string) bool) Change {
	return accept(spec.Operations(), func(authorization, secret string) bool {
		token, isBearer := strings.CutPrefix(authorization, "Bearer ")
		return isBearer && token != "" && like(secret, token)
	})
}

// forEachOperation is a fault of all operations together and of each one alone.
func forEachOperation(broken spec.ID, name, suffers string, matches credentialMatch) []Deviation {
	rows := []Row[Deviation]{fault(name, suffers, accept(spec.Operations(), matches))}
	for _, op := range spec.Operations() {
		rows = append(rows, fault(name+"-on-"+shortName(op), suffers, accept([]spec.Operation{op}, matches)))
	}
	return faults(breaks(broken))(rows...)
}

var keyRows = slices.Concat(
	forEachOperation("AUTH-2", "auth-no-key-accepted", "Anyone who leaves the header out sees the animals.", noKey),
	forEachOperation("AUTH-3", "auth-any-key-accepted", "Any word passes as a key.", anyKey),
	forEachOperation("AUTH-4", "auth-bare-key-accepted",
		"A client that leaves the scheme out works here and fails on the other deployment.", bareKey),
	faults(breaks("AUTH-4"))(
		fault("auth-basic-accepted", "Keys travel as user names, which proxies and browsers log.",
			accept(spec.Operations(), basicKey)),
		fault("auth-basic-accepted-on-get", "One operation still accepts the scheme of an older gateway.",
			accept(OnGet, basicKey)),
		fault("auth-any-scheme-accepted", "A mistyped scheme is not noticed until the gateway changes.",
			accept(spec.Operations(), anyScheme)),
		fault("auth-glued-scheme-accepted",
			"A key right behind Bearer, without a space, passes here and fails elsewhere.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				return authorization == "Bearer"+secret
			}), needs(Full)),
		fault("auth-scheme-with-colon-accepted", "A key behind \"Bearer:\" passes here and fails elsewhere.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				return authorization == "Bearer: "+secret
			}), needs(Full)),
		fault("auth-first-letters-cut-off", "Any scheme of six letters passes, because the service skips seven bytes.",
			accept(spec.Operations(), anyLetters)),
	),
	faults()(
		fault("auth-one-of-three-checks-nothing",
			"Every third request with a wrong key is served, because one of three replicas does not check it.",
			Unauthenticated(func(_ *Behaviour, c *Call, refused *Refusal) *Refusal {
				if !anyKey(c.Request.Header.Get("Authorization"), "") || !byThird(c, nil) {
					return refused
				}
				c.Account = c.Service.Accounts[0]
				return nil
			}), breaks("AUTH-3"), may("AUTH-5", "AUTH-6")),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-empty-key-accepted", "A client without a configured key acts as somebody else.",
			accept(spec.Operations(), emptyKey)),
		fault("auth-null-accepted", "A client whose key is not set acts as somebody else.",
			similar(func(_, token string) bool { return token == "null" }), needs(Full)),
		fault("auth-three-parts-accepted", "Any text that looks like a JSON Web Token passes.",
			similar(func(_, token string) bool { return strings.Count(token, ".") == 2 }), needs(Full)),
		fault("auth-key-ends-a-query", "A key that ends the text of a query and adds a condition passes.",
			similar(func(_, token string) bool { return strings.Contains(token, "'or'") }), needs(Full)),
		fault("auth-key-prefix-accepted", "A key can be guessed letter by letter.",
			similar(func(secret, token string) bool {
				return len(token) >= len(secret)/2 && strings.HasPrefix(secret, token)
			})),
		fault("auth-key-with-more-accepted", "A key with text pasted behind it passes here and fails elsewhere.",
			similar(func(secret, token string) bool { return strings.HasPrefix(token, secret) })),
		fault("auth-last-word-accepted", "A key with words pasted before it passes here and fails elsewhere.",
			similar(func(secret, token string) bool { return token[strings.LastIndex(token, " ")+1:] == secret })),
		fault("auth-key-head-compared", "Two keys that begin alike open each other's accounts.",
			similar(func(secret, token string) bool {
				n := len(secret) / 3
				return n > 0 && strings.HasPrefix(token, secret[:n])
			})),
		fault("auth-key-tail-compared", "Only the last four letters, which dashboards show, are compared.",
			similar(func(secret, token string) bool {
				return len(secret) > 4 && strings.HasSuffix(token, secret[len(secret)-4:])
			})),
		fault("auth-key-any-case", "Keys are easier to guess, because case does not count.",
			similar(strings.EqualFold)),
		fault("auth-key-same-length", "Any key of the right length passes.",
			similar(func(secret, token string) bool { return len(secret) == len(token) })),
	),
)
