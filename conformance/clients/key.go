package clients

import (
	"petconform/spec/exchange"
	"petconform/spec/history"
)

const bearerForm = "Authorization: Bearer <API_KEY>"

// given reports whether a call carries a credential at all.
func given(x history.Exchange) bool { return x.Auth != exchange.NoKey && x.Auth != exchange.EmptyKey }

func anyCall(history.Exchange) bool { return true }

func keyGiven(s *story) reading {
	return s.each("CLIENT-1", "a request without an API key", anyCall, func(x history.Exchange) (string, string) {
		switch x.Auth {
		case exchange.NoKey:
			return bearerForm, "no key"
		case exchange.EmptyKey:
			return bearerForm, "the scheme Bearer and no key"
		}
		return "", ""
	})
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

func keyAsBearer(s *story) reading {
	return s.each("CLIENT-2", "a key in another form", given, func(x history.Exchange) (string, string) { return bearerForm, forms[x.Auth] })
}

// schemeAsWritten reads the calls whose scheme is Bearer in any case.
func schemeAsWritten(s *story) reading {
	bearer := func(x history.Exchange) bool { return given(x) && forms[x.Auth] == "" }
	return s.each("CLIENT-3", "a scheme in another case", bearer, func(x history.Exchange) (string, string) {
		if x.Auth == exchange.LowerCaseScheme {
			return bearerForm, "Bearer in another case, which a service may refuse"
		}
		return "", ""
	})
}
