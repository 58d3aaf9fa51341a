package clients

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"petconform/spec/exchange"
)

// forms are those of a key other than the interface's: how the value of Authorization begins or is, and what the client
// sent. Some clients copy more than the key from the documentation.
var forms = []struct {
	auth exchange.Auth
	like *regexp.Regexp
	sent string
}{
	{exchange.EmptyKey, regexp.MustCompile(`(?i)^bearer$`), ""},
	{exchange.DoubledScheme, regexp.MustCompile(`(?i)^bearer +bearer( |$)`), "the scheme Bearer twice"},
	{exchange.QuotedKey, regexp.MustCompile(`(?i)^bearer +(".*"|'.*')$`), "the key in quotation marks"},
	{exchange.BracketedKey, regexp.MustCompile(`(?i)^bearer +<.*>$`), "the key in brackets"},
	{exchange.NoScheme, regexp.MustCompile(`^\S+$`), "an Authorization header without a scheme"},
	{exchange.BasicScheme, regexp.MustCompile(`(?i)^basic `), "the scheme Basic"},
	{exchange.TokenScheme, regexp.MustCompile(`(?i)^token `), "the scheme Token"},
	{exchange.APIKeyScheme, regexp.MustCompile(`(?i)^apikey `), "the scheme ApiKey"},
	{exchange.OtherScheme, nil, "a scheme other than Bearer"},
	{exchange.WrappedKey, nil, "the key with something before or after it"},
	{exchange.KeyHeader, nil, "the key in another header than Authorization"},
	{exchange.QueryKey, nil, "the key in the query, where logs keep it"},
	{exchange.TwoCredentials, nil, "two Authorization headers"},
}

// formOf says what a client sent in another form than the interface's; "" for a bearer token.
func formOf(a exchange.Auth) string {
	for _, f := range forms {
		if f.auth == a {
			return f.sent
		}
	}
	return ""
}

// credentialOf returns the kind of credential that a request carries, and the name of the key if it is one of keys. It
// does not return the credential itself.
func credentialOf(r *http.Request, keys map[string]exchange.Secret) (exchange.Auth, string) {
	values := r.Header.Values("Authorization")
	value := strings.TrimSpace(strings.Join(values, " "))
	if value == "" {
		return elsewhere(r, keys)
	}
	scheme, token, _ := strings.Cut(value, " ")
	token = strings.TrimSpace(token)
	bearer := strings.EqualFold(scheme, "Bearer")
	name := nameOf(token, keys)
	switch {
	case len(values) > 1:
		return exchange.TwoCredentials, nameIn(value, keys)
	case scheme == "Bearer" && name != "":
		return exchange.Key, name
	case bearer && name != "":
		return exchange.LowerCaseScheme, name
	}
	plain, _ := base64.StdEncoding.DecodeString(token) // of Basic
	last := strings.Trim(value[strings.LastIndexByte(value, ' ')+1:], `"'<>`)
	name = cmp.Or(name, nameIn(value+" "+string(plain), keys), nameOf(last, keys))
	for _, f := range forms {
		if f.like != nil && f.like.MatchString(value) {
			return f.auth, name
		}
	}
	switch {
	case !bearer:
		return exchange.OtherScheme, name
	case name != "":
		return exchange.WrappedKey, name
	case scheme != "Bearer":
		return exchange.LowerCaseScheme, ""
	}
	return exchange.UnknownKey, ""
}

// elsewhere finds a key that is not in the Authorization header.
func elsewhere(r *http.Request, keys map[string]exchange.Secret) (exchange.Auth, string) {
	for _, values := range r.Header {
		if name := nameIn(strings.Join(values, " "), keys); name != "" {
			return exchange.KeyHeader, name
		}
	}
	query, _ := url.QueryUnescape(r.URL.RawQuery)
	if name := nameIn(query, keys); name != "" {
		return exchange.QueryKey, name
	}
	return exchange.NoKey, ""
}

// nameOf is the name of the key that a token is.
func nameOf(token string, keys map[string]exchange.Secret) string {
	for name, k := range keys {
		if k.Reveal() == token {
			return name
		}
	}
	return ""
}

// nameIn is the name of the key within a text. A key of less than 8 bytes may be a word of the text.
func nameIn(text string, keys map[string]exchange.Secret) string {
	for name, k := range keys {
		if key := k.Reveal(); len(key) >= 8 && strings.Contains(text, key) {
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
