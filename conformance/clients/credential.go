package clients

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// usual is the form of a credential of the interface. A recording has the form of an Authorization header: its schemes
// and punctuation, exchange.Mask in place of a key of the service, and an ellipsis in place of any other text.
const usual = "Bearer " + exchange.Mask

var (
	words    = regexp.MustCompile(`[^\s"'<>,:\x00]+`)
	schemes  = regexp.MustCompile(`(?i)^(bearer|basic|digest|token|apikey|key)$`)
	noKey    = regexp.MustCompile(`(?i)^(bearer|no key)$`)
	asBearer = regexp.MustCompile(`(?i)^bearer +(\[key\]|…)$`)
)

// formOf is the form of a call's credential.
func formOf(x history.Exchange) string {
	switch form := x.Request.Header.Get("Authorization"); {
	case x.Auth == exchange.Key:
		return usual
	case form == "" && x.Caller.Key != "":
		return "the key in another header, or in the query, where logs keep it"
	default:
		return cmp.Or(form, "no key")
	}
}

// given, bearer and capitalized report whether a call carries a credential, as a bearer token, under Bearer as written.
func given(x history.Exchange) bool       { return x.Named() && !noKey.MatchString(formOf(x)) }
func bearer(x history.Exchange) bool      { return x.Named() && asBearer.MatchString(formOf(x)) }
func capitalized(x history.Exchange) bool { return strings.HasPrefix(formOf(x), "Bearer ") }

// keys are those of the service, by name.
type keys map[string]exchange.Secret

// credential returns the form of the Authorization header, and the name of the service's key that the request has
// anywhere in its headers or its query.
func (all keys) credential(r *http.Request) (form, name string) {
	form, name = all.mask(strings.TrimSpace(strings.Join(r.Header.Values("Authorization"), ", ")))
	form = words.ReplaceAllStringFunc(form, func(word string) string {
		if schemes.MatchString(word) {
			return word
		}
		return "…"
	})
	if name == "" {
		query, _ := url.QueryUnescape(r.URL.RawQuery)
		elsewhere := append(slices.Concat(slices.Collect(maps.Values(r.Header))...), query)
		_, name = all.mask(strings.Join(elsewhere, "\n"))
	}
	return strings.ReplaceAll(form, "\x00", exchange.Mask), name
}

// mask returns a text with NUL in place of a key, and the name of that key. A key of less than 8 bytes may be a word of
// the text, so it counts only as the last one.
func (all keys) mask(text string) (masked, name string) {
	for name, k := range all {
		key := k.Reveal()
		at := strings.LastIndex(text, key)
		if strings.HasSuffix(" "+text, " "+key) || at >= 0 && len(key) >= 8 {
			return text[:at] + "\x00" + text[at+len(key):], name
		}
	}
	return text, ""
}
