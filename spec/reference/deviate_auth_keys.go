package reference

import (
	"encoding/base64"
	"slices"
	"strings"

	"petconform/spec"
)

// alsoAccept lets a request through that was to be refused, as the owner that find gives.
func (b *behaviour) alsoAccept(ops []spec.Operation, find func(c *call, authorization string) *account) {
	strict := b.authenticate
	b.authenticate = func(c *call) *refusal {
		refused := strict(c)
		if refused == nil || !slices.Contains(ops, c.operation) {
			return refused
		}
		if c.account = find(c, c.request.Header.Get("Authorization")); c.account != nil {
			return nil
		}
		return refused
	}
}

// likeToken accepts a token that is like a key.
func (b *behaviour) likeToken(like func(secret, token string) bool) {
	b.alsoAccept(spec.Operations(), func(c *call, authorization string) *account {
		token, isBearer := strings.CutPrefix(authorization, "Bearer ")
		return c.service.accountWhere(func(secret string) bool { return isBearer && token != "" && like(secret, token) })
	})
}

// accountWhere gives the first account whose secret is as it is wanted.
func (s *Service) accountWhere(is func(secret string) bool) *account {
	for _, a := range s.inOrder {
		if is(a.secret) {
			return a
		}
	}
	return nil
}

func anyAccount(string) bool { return true }

// noKey accepts a request without Authorization, anyKey one with a token that is nobody's.
func noKey(c *call, authorization string) *account {
	if authorization != "" {
		return nil
	}
	return c.service.accountWhere(anyAccount)
}

func anyKey(c *call, authorization string) *account {
	if !strings.HasPrefix(authorization, "Bearer ") {
		return nil
	}
	return c.service.accountWhere(anyAccount)
}

func bareKey(c *call, authorization string) *account {
	return c.service.accountWhere(func(secret string) bool { return secret == authorization })
}

func basicKey(c *call, authorization string) *account {
	user, isBasic := strings.CutPrefix(authorization, "Basic ")
	plain, err := base64.StdEncoding.DecodeString(user)
	if !isBasic || err != nil {
		return nil
	}
	name, _, _ := strings.Cut(string(plain), ":")
	return c.service.accountWhere(func(secret string) bool { return secret == name })
}

func anyScheme(c *call, authorization string) *account {
	_, token, _ := strings.Cut(authorization, " ")
	return c.service.accountWhere(func(secret string) bool { return secret == token })
}

// lax makes a deviation that accepts on those operations what find finds an owner for.
func lax(name string, breaks spec.ID, suffers string, ops []spec.Operation, find func(*call, string) *account) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), Suffers: suffers,
		apply: func(b *behaviour) { b.alsoAccept(ops, find) },
	}
}

// laxOnEach makes one for all operations together and one for each alone.
func laxOnEach(name string, breaks spec.ID, suffers string, find func(*call, string) *account) []Deviation {
	all := []Deviation{lax(name, breaks, suffers, spec.Operations(), find)}
	for _, op := range spec.Operations() {
		all = append(all, lax(name+"-on-"+short(op), breaks, suffers, []spec.Operation{op}, find))
	}
	return all
}

func similar(name, suffers string, like func(secret, token string) bool) Deviation {
	return Deviation{
		Name: name, Breaks: ids("AUTH-3"), Suffers: suffers,
		apply: func(b *behaviour) { b.likeToken(like) },
	}
}

var keyDeviations = slices.Concat(
	laxOnEach("auth-no-key-accepted", "AUTH-2", "Animals are open to whoever leaves the header out.", noKey),
	laxOnEach("auth-any-key-accepted", "AUTH-3", "A key is asked for and not looked at: any word will do.", anyKey),
	laxOnEach("auth-bare-key-accepted", "AUTH-4", "A client without the scheme works here and fails on the other deployment.", bareKey),
	[]Deviation{
		lax("auth-basic-accepted", "AUTH-4", "Keys travel as user names, which proxies and browsers log.", spec.Operations(), basicKey),
		lax("auth-basic-accepted-on-get", "AUTH-4", "One operation still takes the scheme of an older gateway.", []spec.Operation{spec.GetPet}, basicKey),
		lax("auth-any-scheme-accepted", "AUTH-4", "A mistyped scheme is not noticed until the gateway changes.", spec.Operations(), anyScheme),
		lax("auth-first-letters-cut-off", "AUTH-4", "What stands where Bearer should is not read: any scheme of six letters will do.", spec.Operations(), func(c *call, authorization string) *account {
			return c.service.accountWhere(func(secret string) bool { return len(authorization) > 7 && authorization[7:] == secret })
		}),
		lax("auth-empty-key-accepted", "AUTH-3", "A client whose key was not configured reads as somebody.", spec.Operations(), func(c *call, authorization string) *account {
			return c.service.accountWhere(func(string) bool { return strings.TrimSpace(authorization) == "Bearer" })
		}),
		similar("auth-key-prefix-accepted", "A key can be guessed letter by letter.", func(secret, token string) bool {
			return len(token) >= len(secret)/2 && strings.HasPrefix(secret, token)
		}),
		similar("auth-key-with-more-accepted", "A key with something pasted behind it passes here and not elsewhere.", func(secret, token string) bool {
			return strings.HasPrefix(token, secret)
		}),
		similar("auth-key-head-compared", "Keys that begin alike open each other's doors.", func(secret, token string) bool {
			n := len(secret) / 3
			return n > 0 && strings.HasPrefix(token, secret[:n])
		}),
		similar("auth-key-tail-compared", "Only the four letters that dashboards show are compared.", func(secret, token string) bool {
			return len(secret) > 4 && strings.HasSuffix(token, secret[len(secret)-4:])
		}),
		similar("auth-key-any-case", "Keys lose most of what makes them hard to guess.", strings.EqualFold),
		similar("auth-key-same-length", "Any key of the right length passes.", func(secret, token string) bool { return len(secret) == len(token) }),
	},
)
