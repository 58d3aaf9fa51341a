package clients

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// form is a form of a credential: what Authorization is like, where NUL stands for a key of the service, the
// requirement that it breaks, and what was sent. A form without a pattern is found in another way.
type form struct {
	auth   exchange.Auth
	like   *regexp.Regexp
	breaks spec.ID
	sent   string
}

const anotherCase = "Bearer in another case, which a service may refuse"

// forms are in the order in which they are tried.
var forms = []form{
	{exchange.NoKey, nil, "CLIENT-1", "no key"},
	{exchange.EmptyKey, regexp.MustCompile(`(?i)^bearer$`), "CLIENT-1", "the scheme Bearer and no key"},
	{exchange.Key, regexp.MustCompile(`^Bearer +\x00$`), "", ""},
	{exchange.LowerCaseScheme, regexp.MustCompile(`(?i)^bearer +\x00$`), "CLIENT-3", anotherCase},
	{exchange.DoubledScheme, regexp.MustCompile(`(?i)^bearer +bearer( |$)`), "CLIENT-2", "the scheme Bearer twice"},
	{exchange.QuotedKey, regexp.MustCompile(`(?i)^bearer +(".*"|'.*')$`), "CLIENT-2", "the key in quotation marks"},
	{exchange.BracketedKey, regexp.MustCompile(`(?i)^bearer +<.*>$`), "CLIENT-2", "the key in brackets"},
	{exchange.NoScheme, regexp.MustCompile(`^\S+$`), "CLIENT-2", "an Authorization header without a scheme"},
	{exchange.BasicScheme, regexp.MustCompile(`(?i)^basic `), "CLIENT-2", "the scheme Basic"},
	{exchange.TokenScheme, regexp.MustCompile(`(?i)^token `), "CLIENT-2", "the scheme Token"},
	{exchange.APIKeyScheme, regexp.MustCompile(`(?i)^apikey `), "CLIENT-2", "the scheme ApiKey"},
	{exchange.WrappedKey, regexp.MustCompile(`(?i)^bearer .*\x00`), "CLIENT-2", "the key with something before or after it"},
	{exchange.UnknownKey, regexp.MustCompile(`^Bearer `), "", ""},
	{exchange.LowerCaseScheme, regexp.MustCompile(`(?i)^bearer `), "CLIENT-3", anotherCase},
	{exchange.OtherScheme, regexp.MustCompile(``), "CLIENT-2", "a scheme other than Bearer"},
	{exchange.KeyHeader, nil, "CLIENT-2", "the key in another header than Authorization"},
	{exchange.QueryKey, nil, "CLIENT-2", "the key in the query, where logs keep it"},
	{exchange.TwoCredentials, nil, "CLIENT-2", "two Authorization headers"},
}

// formOf is the form of the credential of a request.
func formOf(x history.Exchange) form {
	return forms[max(0, slices.IndexFunc(forms, func(f form) bool { return f.auth == x.Auth }))]
}

// given reports whether a call carries a credential at all, and bearer whether it is a bearer token.
func given(x history.Exchange) bool  { return x.Named() && formOf(x).breaks != "CLIENT-1" }
func bearer(x history.Exchange) bool { return given(x) && formOf(x).breaks != "CLIENT-2" }

// breaking says what a request sent in a form that breaks a requirement.
func breaking(id spec.ID) func(history.Exchange) string {
	return func(x history.Exchange) string {
		if f := formOf(x); f.breaks == id {
			return f.sent
		}
		return ""
	}
}

// keys are those of the service, by name.
type keys map[string]exchange.Secret

// credentialOf returns the kind of credential that a request carries, and the name of the key if it is one of the
// service's. It does not return the credential itself.
func (all keys) credentialOf(r *http.Request) (exchange.Auth, string) {
	values := r.Header.Values("Authorization")
	masked, name := all.mask(strings.TrimSpace(strings.Join(values, " ")))
	if len(values) > 1 && masked != "" {
		return exchange.TwoCredentials, name
	}
	if masked != "" {
		tried := slices.IndexFunc(forms, func(f form) bool { return f.like != nil && f.like.MatchString(masked) })
		return forms[tried].auth, name
	}
	for _, values := range r.Header {
		if _, name := all.mask(strings.Join(values, " ")); name != "" {
			return exchange.KeyHeader, name
		}
	}
	query, _ := url.QueryUnescape(r.URL.RawQuery)
	if _, name := all.mask(query); name != "" {
		return exchange.QueryKey, name
	}
	return exchange.NoKey, ""
}

// mask returns a text with NUL in place of a key, and the name of that key. A key of less than 8 bytes may be a word of
// the text, so it counts only as the last one.
func (all keys) mask(text string) (masked, name string) {
	for name, k := range all {
		key := k.Reveal()
		if rest, last := strings.CutSuffix(" "+text, " "+key); last {
			return strings.TrimPrefix(rest+" \x00", " "), name
		}
		if len(key) >= 8 && strings.Contains(text, key) {
			return strings.ReplaceAll(text, key, "\x00"), name
		}
	}
	return text, ""
}

// withoutCredentials drops the Authorization header and masks what else may be a secret.
func withoutCredentials(h http.Header) http.Header {
	out := h.Clone()
	delete(out, "Authorization")
	for name := range out {
		if exchange.NamesSecret(name) {
			out[name] = []string{exchange.Mask}
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
