package clients

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"petconform/spec/exchange"
)

// credentialOf returns the kind of credential that a request carries, and the name of the key if it is one of keys. It does not
// return the credential itself.
func credentialOf(r *http.Request, keys map[string]exchange.Secret) (exchange.Auth, string) {
	values := r.Header.Values("Authorization")
	switch {
	case len(values) > 1:
		return exchange.TwoCredentials, nameIn(strings.Join(values, " "), keys)
	case len(values) == 0 || strings.TrimSpace(values[0]) == "":
		return elsewhere(r, keys)
	}
	scheme, token, given := strings.Cut(strings.TrimSpace(values[0]), " ")
	token = strings.TrimSpace(token)
	name := nameOf(token, keys)
	switch {
	case strings.EqualFold(scheme, "Bearer") && name == "":
		return withoutKey(scheme, token, keys)
	case scheme == "Bearer":
		return exchange.Key, name
	case strings.EqualFold(scheme, "Bearer"):
		return exchange.LowerCaseScheme, name
	case !given:
		return exchange.NoScheme, nameOf(scheme, keys)
	case strings.EqualFold(scheme, "Basic"):
		plain, _ := base64.StdEncoding.DecodeString(token)
		return exchange.BasicScheme, nameIn(string(plain), keys)
	case strings.EqualFold(scheme, "Token"):
		return exchange.TokenScheme, name
	case strings.EqualFold(scheme, "ApiKey"):
		return exchange.APIKeyScheme, name
	}
	return exchange.OtherScheme, nameIn(values[0], keys)
}

// withoutKey returns the kind of a bearer token that is not a key. Some clients copy more than the key from the documentation: quotation
// marks or brackets around it, or Bearer a second time.
func withoutKey(scheme, token string, keys map[string]exchange.Secret) (exchange.Auth, string) {
	bare := token
	again, rest, _ := strings.Cut(token, " ")
	doubled := strings.EqualFold(again, "Bearer")
	if doubled {
		bare = rest
	}
	name := cmp.Or(nameIn(token, keys), nameOf(strings.Trim(bare, " \"'<>"), keys))
	switch {
	case token == "":
		return exchange.EmptyKey, ""
	case doubled:
		return exchange.DoubledScheme, name
	case between(token, "\"", "\""), between(token, "'", "'"):
		return exchange.QuotedKey, name
	case between(token, "<", ">"):
		return exchange.BracketedKey, name
	case name != "":
		return exchange.WrappedKey, name
	case scheme != "Bearer":
		return exchange.LowerCaseScheme, ""
	}
	return exchange.UnknownKey, ""
}

func between(text, first, last string) bool {
	return len(text) > 1 && strings.HasPrefix(text, first) && strings.HasSuffix(text, last)
}

// elsewhere finds a key that is not in the Authorization header.
func elsewhere(r *http.Request, keys map[string]exchange.Secret) (exchange.Auth, string) {
	for _, values := range r.Header {
		for _, v := range values {
			if name := nameIn(v, keys); name != "" {
				return exchange.KeyHeader, name
			}
		}
	}
	query, _ := url.QueryUnescape(r.URL.RawQuery)
	if name := nameIn(query, keys); name != "" {
		return exchange.QueryKey, name
	}
	return exchange.NoKey, ""
}

// shortestWithin is the length of the shortest key that is searched within a text, in bytes: a shorter one may be a word of the
// text.
const shortestWithin = 8

// nameOf is the name of the key that a token is, and nameIn that of a key within a text.
func nameOf(token string, keys map[string]exchange.Secret) string {
	for name, k := range keys {
		if k.Reveal() == token {
			return name
		}
	}
	return ""
}

func nameIn(text string, keys map[string]exchange.Secret) string {
	for name, k := range keys {
		if key := k.Reveal(); len(key) >= shortestWithin && strings.Contains(text, key) {
			return name
		}
	}
	return ""
}

// withoutCredentials drops the Authorization header and masks what else may be a secret.
func withoutCredentials(h http.Header) http.Header {
	out := http.Header{}
	for name, values := range h {
		switch {
		case name == "Authorization":
		case exchange.NamesSecret(name):
			out[name] = []string{exchange.Mask}
		default:
			out[name] = slices.Clone(values)
		}
	}
	return out
}

// maskQuery masks the values of parameters that may be a secret.
func maskQuery(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, has := strings.Cut(pair, "="); has && exchange.NamesSecret(name) {
			pairs[i] = name + "=" + exchange.Mask
		}
	}
	return strings.Join(pairs, "&")
}
