package exchange_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"petconform/spec/exchange"
)

// No key of some length survives, in none of the encodings that it is likely to be written in; a second time changes nothing.
func FuzzRedact(f *testing.F) {
	f.Add("pet-0123456789abcdef", []byte("before "), []byte(" behind"))
	f.Add("pet-0123456789abcdef", []byte("[key"), []byte("]"))
	f.Add("abcdabcd", []byte("abcdabcdabcd"), []byte("abcd"))
	f.Add("a.b", []byte("{\"key\":\""), []byte("\"}"))
	f.Add("=%26<>&\"'", []byte{0xff, '\n'}, []byte(`\u003c`))
	f.Add("[key][key]", []byte("[key]"), []byte("[key]"))
	f.Fuzz(func(t *testing.T, key string, before, behind []byte) {
		secret := exchange.NewSecret(key)
		if secret.IsZero() || secret.Validate() != nil || len(key) > 200 || len(before)+len(behind) > 4096 {
			return
		}
		key = secret.Reveal()
		r := exchange.NewRedactor(secret)
		raw := []byte(key)
		for _, form := range []string{key, base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw), hex.EncodeToString(raw),
			url.QueryEscape(key), exchange.SwapCase(key), exchange.Damage(key)} {
			data := bytes.Join([][]byte{before, []byte(form), behind}, nil)
			clean, hit := r.Redact(data)
			if hit != r.Found(data) {
				t.Fatalf("found is %t, and redacted %t", r.Found(data), hit)
			}
			if len(key) >= 8 && !strings.Contains(exchange.Mask, key) && (!hit || bytes.Contains(clean, raw)) {
				t.Errorf("the key %q stands in %q, which was %q", key, clean, data)
			}
			if r.Found(clean) {
				t.Errorf("redacted, %q still has a form of the key %q: %q", data, key, clean)
			}
			if twice, again := r.Redact(clean); again || !bytes.Equal(twice, clean) {
				t.Errorf("redacted twice, %q becomes %q", clean, twice)
			}
		}
		h, hit := r.RedactHeader(http.Header{"X-Echo": {string(before) + " " + key + " " + string(behind)}})
		if len(key) >= 8 && (!hit || strings.Contains(strings.Join(h["X-Echo"], ""), key)) && !strings.Contains(exchange.Mask, key) {
			t.Errorf("the key %q stands in the header %q", key, h)
		}
	})
}

// A key that stands within the mask, or that a mask and its neighbours read like, comes to an end all the same.
func TestKeysLikeTheMask(t *testing.T) {
	for _, key := range []string{"[key", "key]", "key", "[key]", "e", "]]", "[[", "a[key]", "[key][key]", "y]["} {
		r := exchange.NewRedactor(exchange.NewSecret(key))
		for _, text := range []string{key, key + key, " " + key + " ", "[key]" + key, key + "[key]", "]]]]]]]]", "aaaa[key]", "[key][key][key]"} {
			clean, _ := r.Redact([]byte(text))
			if r.Found(clean) {
				t.Errorf("the key %q is found in %q, which is what became of %q", key, clean, text)
			}
			if twice, again := r.Redact(clean); again || !bytes.Equal(twice, clean) {
				t.Errorf("redacted twice, %q becomes %q", clean, twice)
			}
		}
	}
}
