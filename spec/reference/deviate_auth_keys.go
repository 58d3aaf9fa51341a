package reference

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
)

// credentialMatch says whether an Authorization header is accepted for a key.
type credentialMatch func(authorization, secret string) bool

// unauthenticated changes what becomes of a request that is refused for its key; nil lets it through.
func unauthenticated(change func(b *behaviour, c *call, refused *refusal) *refusal) func(*behaviour) {
	return func(b *behaviour) {
		b.authenticate = after(b.authenticate, func(c *call, refused *refusal) *refusal {
			if refused == nil {
				return nil
			}
			return change(b, c, refused)
		})
	}
}

// accept lets a request through that would be refused, when its Authorization header matches a key.
func accept(ops []spec.Operation, matches credentialMatch) func(*behaviour) {
	return unauthenticated(func(_ *behaviour, c *call, refused *refusal) *refusal {
		for _, a := range c.service.inOrder {
			if slices.Contains(ops, c.operation) && matches(c.request.Header.Get("Authorization"), a.secret) {
				c.account = a
				return nil
			}
		}
		return refused
	})
}

// acceptToken lets a request through that has a key in another place.
func acceptToken(token func(r *http.Request) string) func(*behaviour) {
	return unauthenticated(func(_ *behaviour, c *call, refused *refusal) *refusal {
		if c.account = c.service.accountOf(token(c.request)); c.account != nil {
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
func similar(like func(secret, token string) bool) func(*behaviour) {
	return accept(spec.Operations(), func(authorization, secret string) bool {
		token, isBearer := strings.CutPrefix(authorization, "Bearer ")
		return isBearer && token != "" && like(secret, token)
	})
}

// forEachOperation returns d for all operations together and for each one alone.
func forEachOperation(d Deviation, matches credentialMatch) []Deviation {
	name := d.Name
	d.apply = accept(spec.Operations(), matches)
	all := []Deviation{d}
	for _, op := range spec.Operations() {
		d.Name, d.apply = name+"-on-"+shortName(op), accept([]spec.Operation{op}, matches)
		all = append(all, d)
	}
	return all
}

var keyDeviations = slices.Concat(
	forEachOperation(Deviation{Name: "auth-no-key-accepted", Breaks: ids("AUTH-2"), Suffers: "Anyone who leaves the header out sees the animals."}, noKey),
	forEachOperation(Deviation{Name: "auth-any-key-accepted", Breaks: ids("AUTH-3"), Suffers: "Any word passes as a key."}, anyKey),
	forEachOperation(Deviation{Name: "auth-bare-key-accepted", Breaks: ids("AUTH-4"), Suffers: "A client that leaves the scheme out works here and fails on the other deployment."}, bareKey),
	table(Deviation{Breaks: ids("AUTH-4")}, []Deviation{
		{Name: "auth-basic-accepted", Suffers: "Keys travel as user names, which proxies and browsers log.", apply: accept(spec.Operations(), basicKey)},
		{Name: "auth-basic-accepted-on-get", Suffers: "One operation still accepts the scheme of an older gateway.", apply: accept(onGet, basicKey)},
		{Name: "auth-any-scheme-accepted", Suffers: "A mistyped scheme is not noticed until the gateway changes.", apply: accept(spec.Operations(), anyScheme)},
		{Name: "auth-glued-scheme-accepted", Needs: Varied, Suffers: "A key right behind Bearer, without a space, passes here and fails elsewhere.",
			apply: accept(spec.Operations(), func(authorization, secret string) bool { return authorization == "Bearer"+secret })},
		{Name: "auth-scheme-with-colon-accepted", Needs: Varied, Suffers: "A key behind \"Bearer:\" passes here and fails elsewhere.",
			apply: accept(spec.Operations(), func(authorization, secret string) bool { return authorization == "Bearer: "+secret })},
		{Name: "auth-first-letters-cut-off", Suffers: "Any scheme of six letters passes, because the service skips seven bytes.", apply: accept(spec.Operations(), anyLetters)},
	}),
	[]Deviation{{Name: "auth-one-of-three-checks-nothing", Breaks: ids("AUTH-3"), May: ids("AUTH-5", "AUTH-6"),
		Suffers: "Every third request with a wrong key is served, because one of three replicas does not check it.",
		apply: unauthenticated(func(_ *behaviour, c *call, refused *refusal) *refusal {
			if !anyKey(c.request.Header.Get("Authorization"), "") || !byThird(c, nil) {
				return refused
			}
			c.account = c.service.inOrder[0]
			return nil
		})}},
	table(Deviation{Breaks: ids("AUTH-3")}, []Deviation{
		{Name: "auth-empty-key-accepted", Suffers: "A client without a configured key acts as somebody else.", apply: accept(spec.Operations(), emptyKey)},
		{Name: "auth-null-accepted", Needs: Varied, Suffers: "A client whose key is not set acts as somebody else.", apply: similar(func(_, token string) bool { return token == "null" })},
		{Name: "auth-three-parts-accepted", Needs: Varied, Suffers: "Any text that looks like a JSON Web Token passes.", apply: similar(func(_, token string) bool { return strings.Count(token, ".") == 2 })},
		{Name: "auth-key-prefix-accepted", Suffers: "A key can be guessed letter by letter.", apply: similar(func(secret, token string) bool {
			return len(token) >= len(secret)/2 && strings.HasPrefix(secret, token)
		})},
		{Name: "auth-key-with-more-accepted", Suffers: "A key with text pasted behind it passes here and fails elsewhere.", apply: similar(func(secret, token string) bool {
			return strings.HasPrefix(token, secret)
		})},
		{Name: "auth-key-head-compared", Suffers: "Two keys that begin alike open each other's accounts.", apply: similar(func(secret, token string) bool {
			n := len(secret) / 3
			return n > 0 && strings.HasPrefix(token, secret[:n])
		})},
		{Name: "auth-key-tail-compared", Suffers: "Only the last four letters, which dashboards show, are compared.", apply: similar(func(secret, token string) bool {
			return len(secret) > 4 && strings.HasSuffix(token, secret[len(secret)-4:])
		})},
		{Name: "auth-key-any-case", Suffers: "Keys are easier to guess, because case does not count.", apply: similar(strings.EqualFold)},
		{Name: "auth-key-same-length", Suffers: "Any key of the right length passes.", apply: similar(func(secret, token string) bool { return len(secret) == len(token) })},
	}),
)
