package behaviour

import (
	"crypto/sha256"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// bearer is the first step of every operation. It finds the account of the request's key.
func (b *Behaviour) bearer(c *Call) *Refusal {
	token, failed := b.Credential(c.Request)
	if failed != nil {
		return failed
	}
	if c.Account = b.AccountOf(token); c.Account == nil {
		return Unauthorized("The API key is not valid.")
	}
	return nil
}

func Unauthorized(message string) *Refusal {
	return Refused(http.StatusUnauthorized, "unauthorized", message)
}

const SchemeWanted = "Send an API key as Authorization: Bearer <API_KEY>."

// bearerToken reads the token of the scheme Bearer, whose case does not matter (RFC 9110, section 11.1). Two
// Authorization headers are refused, because either could be meant.
func bearerToken(r *http.Request) (string, *Refusal) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return "", Unauthorized(SchemeWanted)
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", Unauthorized(SchemeWanted)
	}
	return token, nil
}

// AccountOf returns the account whose key the token is, or nil.
func (b *Behaviour) AccountOf(token string) *Account {
	return b.byHash[sha256.Sum256([]byte(token))]
}

// Account is a key with its allowance.
type Account struct {
	name      string
	Secret    string
	Plan      spec.Plan
	Allowance *limiter.Allowance
}

// AddAccount lets a key call the service.
func (b *Behaviour) AddAccount(name, secret string, plan spec.Plan) {
	a := &Account{name: name, Secret: secret, Plan: plan, Allowance: b.newAllowance(plan)}
	b.byHash[sha256.Sum256([]byte(secret))] = a
	b.Accounts = append(b.Accounts, a)
}

func (b *Behaviour) newAllowance(p spec.Plan) *limiter.Allowance {
	p = b.plan(p)
	return limiter.NewAllowance(p.PerMinute, p.PerDay, b.Options)
}
