package reference

import (
	"crypto/sha256"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// bearer is the first step of every operation. It finds the account of the request's key.
func (b *behaviour) bearer(c *call) *refusal {
	token, failed := b.credential(c.request)
	if failed != nil {
		return failed
	}
	if c.account = b.accountOf(token); c.account == nil {
		return unauthorized("The API key is not valid.")
	}
	return nil
}

func unauthorized(message string) *refusal {
	return &refusal{status: http.StatusUnauthorized, code: "unauthorized", message: message}
}

const schemeWanted = "Send an API key as Authorization: Bearer <API_KEY>."

// bearerToken reads the token of the scheme Bearer, whose case does not matter (RFC 9110, section 11.1). Two Authorization
// headers are refused, because either could be meant.
func bearerToken(r *http.Request) (string, *refusal) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return "", unauthorized(schemeWanted)
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", unauthorized(schemeWanted)
	}
	return token, nil
}

// accountOf returns the account whose key the token is, or nil.
func (b *behaviour) accountOf(token string) *account {
	return b.byHash[sha256.Sum256([]byte(token))]
}

// account is a key with its allowance.
type account struct {
	name      string
	secret    string
	plan      spec.Plan
	allowance *limiter.Allowance
}

// addAccount lets a key call the service.
func (b *behaviour) addAccount(name, secret string, plan spec.Plan) {
	a := &account{name: name, secret: secret, plan: plan, allowance: b.newAllowance(plan)}
	b.byHash[sha256.Sum256([]byte(secret))] = a
	b.accounts = append(b.accounts, a)
}

func (b *behaviour) newAllowance(p spec.Plan) *limiter.Allowance {
	p = b.plan(p)
	return limiter.NewAllowance(p.PerMinute, p.PerDay, b.options)
}
