package roundtrip

import (
	"maps"
	"net/http"

	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// Header returns the headers of a request with a body, as they are recorded.
func Header(userAgent string, body []byte) http.Header {
	h := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {userAgent}}
	if len(body) > 0 {
		h.Set("Content-Type", "application/json")
	}
	return h
}

// Keyed returns h with a credential that is made from key. It is what is sent, and is not recorded.
func Keyed(h http.Header, auth exchange.Auth, key exchange.Secret) http.Header {
	credential, _ := invalid.CredentialAmong(h, auth)
	sent := maps.Clone(h)
	sent["User-Agent"] = h["User-Agent"] // without one, net/http would add its own
	maps.Copy(sent, credential.Header(key.Reveal()))
	return sent
}
