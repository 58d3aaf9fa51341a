// Package invalid holds what a request can have wrong: a credential, a body, or an id. Each value says what it is
// and which requirement a service breaks that accepts it. The client, the checks, the exploration and command lines
// read them here.
package invalid

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Credential is a kind of credential, right or wrong.
type Credential struct {
	Auth exchange.Auth
	// Headers carry it, with %k for the key.
	Headers []string
	// Change alters the key; nil leaves it as it is. Shell is the same in a POSIX shell; "" is $PETCONFORM_KEY.
	Change func(key string) string
	Shell  string
	// Curl is the option of curl that sends it, where Headers cannot say it in a shell.
	Curl string
	// Breaks is the requirement that an answer other than 401 breaks. It is "" for a right key, and where the answer
	// is open.
	Breaks spec.ID
}

// credentials are in the order in which checks send them.
var credentials = slices.Concat(
	breaking("", bearer(exchange.Key, "%k"),
		Credential{Auth: exchange.OtherKey, Headers: []string{"Authorization: Bearer %k"}, Shell: "$PETCONFORM_KEY_OTHER"},
		header(exchange.LowerCaseScheme, "bearer %k")),
	breaking("AUTH-2", Credential{Auth: exchange.NoKey}),
	breaking("AUTH-3",
		bearer(exchange.UnknownKey, "petconform-unknown-key-0d9f6c1e5b7a"), // no service has issued it
		bearer(exchange.PrefixedKey, "x%k"),
		bearer(exchange.EmptyKey, ""),
		altered(exchange.TruncatedKey, exchange.Truncate, `${PETCONFORM_KEY%?}`),
		altered(exchange.ExtendedKey, func(key string) string { return key + "x" }, `${PETCONFORM_KEY}x`),
		altered(exchange.SwappedCaseKey, exchange.SwapCase,
			`$(printf %s "$PETCONFORM_KEY" | sed 's/^[^A-Za-z]*$/&x/' | tr 'a-zA-Z' 'A-Za-z')`),
		bearer(exchange.SpacedKey, "%k %k"), // some read the first word behind Bearer, some the last
		bearer(exchange.UndefinedKey, "undefined"),
		bearer(exchange.NotASCIIKey, "schl\u00fcssel"),
		altered("damaged", exchange.Damage,
			`$(printf %s "$PETCONFORM_KEY" | sed 's/[A-Za-f]\([^A-Za-z0-9]*\)$/w\1/;t;s/[g-z0-9]\([^A-Za-z0-9]*\)$/B\1/')`),
		bearer(exchange.QuotedKey, `"%k"`),
		bearer("with-comma", "%k,x"),
		bearer("null", "null"),
		bearer("three-parts", "a.b.c"),
		bearer(exchange.ConditionKey, "x'or'1'='1"),
		altered(exchange.LongKey, func(string) string { return strings.Repeat("k", longKey) }, `$(printf %8000s | tr ' ' k)`)),
	breaking("AUTH-4",
		header(exchange.NoScheme, "%k"),
		header(exchange.APIKeyScheme, "ApiKey %k"),
		Credential{Auth: exchange.KeyHeader, Headers: []string{"X-Api-Key: %k", "Cookie: api_key=%k"}},
		Credential{Auth: exchange.BasicScheme, Headers: []string{"Authorization: Basic %k"}, Change: userOnly,
			Curl: `-u "$PETCONFORM_KEY:"`},
		Credential{Auth: exchange.BasicPassword, Headers: []string{"Authorization: Basic %k"}, Change: passwordOnly,
			Curl: `-u "petconform:$PETCONFORM_KEY"`},
		header(exchange.TokenScheme, "Token %k"),
		header("longer-scheme", "BearerX %k"),
		header("plain-basic", "Basic %k"),
		header("glued-scheme", "Bearer%k"),
		header("scheme-with-colon", "Bearer: %k")))

func breaking(id spec.ID, all ...Credential) []Credential {
	for i := range all {
		all[i].Breaks = id
	}
	return all
}

func header(a exchange.Auth, form string) Credential {
	return Credential{Auth: a, Headers: []string{"Authorization: " + form}}
}

func bearer(a exchange.Auth, token string) Credential { return header(a, "Bearer "+token) }

func altered(a exchange.Auth, change func(string) string, shell string) Credential {
	c := bearer(a, "%k")
	c.Change, c.Shell = change, shell
	return c
}

func userOnly(key string) string { return base64.StdEncoding.EncodeToString([]byte(key + ":")) }

func passwordOnly(key string) string {
	return base64.StdEncoding.EncodeToString([]byte("petconform:" + key))
}

// longKey is just below the longest header that common servers read: 8,190 bytes.
const longKey = 8_000

// Gets returns the statuses of which a service must answer one.
func (c Credential) Gets() []int { return append([]int{http.StatusUnauthorized}, c.Auth.InFront()...) }

// CredentialOf returns the credential of a kind. known is false for one that only other clients send.
func CredentialOf(a exchange.Auth) (c Credential, known bool) {
	i := slices.IndexFunc(credentials, func(c Credential) bool { return c.Auth == a })
	if i < 0 {
		return c, false
	}
	return credentials[i], true
}

// CredentialAmong is CredentialOf, with names of headers in lower case where the request has the others so.
func CredentialAmong(others http.Header, a exchange.Auth) (c Credential, known bool) {
	c, known = CredentialOf(a)
	if others[strings.ToLower("User-Agent")] != nil {
		c.Headers = slices.Clone(c.Headers)
		for i, line := range c.Headers {
			name, value, _ := strings.Cut(line, ":")
			c.Headers[i] = strings.ToLower(name) + ":" + value
		}
	}
	return c, known
}

// Credentials returns the kinds that break a requirement where a service accepts them, in the order in which checks
// send them.
func Credentials(breaks spec.ID) []exchange.Auth {
	var all []exchange.Auth
	for _, c := range credentials {
		if c.Breaks == breaks {
			all = append(all, c.Auth)
		}
	}
	return all
}

func (c Credential) Header(key string) http.Header {
	if c.Change != nil {
		key = c.Change(key)
	}
	h := http.Header{}
	for _, line := range c.Headers {
		name, value, _ := strings.Cut(line, ": ")
		h[name] = []string{strings.ReplaceAll(value, "%k", key)}
	}
	return h
}
