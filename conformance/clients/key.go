package clients

import (
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

const bearerForm = "Authorization: Bearer <API_KEY>"

// given reports whether a call carries a credential at all.
func given(x history.Exchange) bool {
	return x.Named() && x.Auth != exchange.NoKey && x.Auth != exchange.EmptyKey
}

func keyGiven(x history.Exchange) rules.Reading {
	sent := "no key"
	switch {
	case !x.Named():
		return notConcerned
	case given(x):
		return held
	case x.Auth == exchange.EmptyKey:
		sent = "the scheme Bearer and no key"
	}
	return broken("CLIENT-1", "a request without an API key", bearerForm, sent)
}

// forms say what a client sent in another form than the interface's.
var forms = map[exchange.Auth]string{
	exchange.BasicScheme:    "the scheme Basic",
	exchange.TokenScheme:    "the scheme Token",
	exchange.APIKeyScheme:   "the scheme ApiKey",
	exchange.OtherScheme:    "a scheme other than Bearer",
	exchange.NoScheme:       "an Authorization header without a scheme",
	exchange.QuotedKey:      "the key in quotation marks",
	exchange.BracketedKey:   "the key in brackets",
	exchange.DoubledScheme:  "the scheme Bearer twice",
	exchange.WrappedKey:     "the key with something before or after it",
	exchange.KeyHeader:      "the key in another header than Authorization",
	exchange.QueryKey:       "the key in the query, where logs keep it",
	exchange.TwoCredentials: "two Authorization headers",
}

func keyAsBearer(x history.Exchange) rules.Reading {
	form := forms[x.Auth]
	switch {
	case !given(x):
		return notConcerned
	case form == "":
		return held
	}
	return broken("CLIENT-2", "a key in another form", bearerForm, form)
}

// schemeAsWritten reads the calls whose scheme is Bearer in any case.
func schemeAsWritten(x history.Exchange) rules.Reading {
	switch {
	case !given(x) || forms[x.Auth] != "":
		return notConcerned
	case x.Auth != exchange.LowerCaseScheme:
		return held
	}
	return broken("CLIENT-3", "a scheme in another case", bearerForm, "Bearer in another case, which a service may refuse")
}
