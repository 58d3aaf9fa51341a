package deviations

import (
	"encoding/base64"
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
func forEachOperation(broken spec.ID, name string, matches credentialMatch) []Deviation {
	rows := []Row[Deviation]{fault(name, accept(spec.Operations(), matches))}
	for _, op := range spec.Operations() {
		rows = append(rows, fault(name+"-on-"+shortName(op), accept([]spec.Operation{op}, matches)))
	}
	return faults(breaks(broken))(rows...)
}

var keyRows = slices.Concat(
	forEachOperation("AUTH-2", "auth-no-key-accepted", noKey),
	forEachOperation("AUTH-3", "auth-any-key-accepted", anyKey),
	forEachOperation("AUTH-4", "auth-bare-key-accepted", bareKey),
	faults(breaks("AUTH-4"))(
		fault("auth-basic-accepted", accept(spec.Operations(), basicKey)),
		fault("auth-basic-accepted-on-get", accept(OnGet, basicKey)),
		fault("auth-any-scheme-accepted", accept(spec.Operations(), anyScheme)),
		fault("auth-glued-scheme-accepted",
			accept(spec.Operations(), func(authorization, secret string) bool {
				return authorization == "Bearer"+secret
			}), needs(Full)),
		fault("auth-scheme-with-colon-accepted", accept(spec.Operations(), func(authorization, secret string) bool {
			return authorization == "Bearer: "+secret
		}), needs(Full)),
		fault("auth-first-letters-cut-off", accept(spec.Operations(), anyLetters)),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-empty-key-accepted", accept(spec.Operations(), emptyKey)),
		fault("auth-null-accepted", similar(func(_, token string) bool { return token == "null" }), needs(Full)),
		fault("auth-three-parts-accepted",
			similar(func(_, token string) bool { return strings.Count(token, ".") == 2 }), needs(Full)),
		fault("auth-key-ends-a-query",
			similar(func(_, token string) bool { return strings.Contains(token, "'or'") }), needs(Full)),
		fault("auth-key-prefix-accepted", similar(func(secret, token string) bool {
			return len(token) >= len(secret)/2 && strings.HasPrefix(secret, token)
		})),
		fault("auth-key-with-more-accepted",
			similar(func(secret, token string) bool { return strings.HasPrefix(token, secret) })),
		fault("auth-last-word-accepted",
			similar(func(secret, token string) bool { return token[strings.LastIndex(token, " ")+1:] == secret })),
		fault("auth-key-any-case", similar(strings.EqualFold)),
	),
)
