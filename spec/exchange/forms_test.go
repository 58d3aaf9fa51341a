package exchange

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// forms are the ways to write a part of a key: one for each coding of the manual.
var forms = []struct {
	name  string
	write func(string) string
}{
	{"plain", func(s string) string { return s }},
	{"percent", alternately("%%%02X", "%%%02x")},
	{"percent in part", inPart("%%%02X")},
	{"JSON", alternately(`\u%04x`, `\u%04X`)},
	{"JSON in part", inPart(`\u%04x`)},
	{"JSON in JSON", alternately(`\\u%04x`, `\\\\u%04x`)},
	{"code point", alternately(`\u{%x}`, `\u{%04X}`)},
	{"HTML", alternately("&#%d;", "&#%03d;")},
	{"HTML in hex", alternately("&#x%x;", "&#X%X;")},
	{"program text", alternately(`\x%02x`, `\x%02X`)},
	{"hex", alternately("%02x", "%02X")},
	{"hex with 0x", alternately("0x%02x, ", "0X%02X,")},
	{"hex in strings", alternately(`"0x%02x","`, `0x%02x","`)},
	{"hex with spaces", alternately("%02x ", "%02X\n")},
	{"hex with colons", alternately("%02x:", "%02X:")},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64 without padding", func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) }},
	{"base64url", func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) }},
	{"base64 in lines", func(s string) string {
		b := base64.StdEncoding.EncodeToString([]byte(s))
		return b[:len(b)/2] + "\r\n" + b[len(b)/2:]
	}},
	{"base64 in JSON", func(s string) string {
		return strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(s)), "/", `\/`)
	}},
	{"hex of a longer text", func(s string) string { return hex.EncodeToString([]byte("key=" + s + "; more")) }},
}

// alternately writes the bytes of a text in two formats by turns.
func alternately(even, odd string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for i, c := range []byte(s) {
			fmt.Fprintf(&b, []string{even, odd}[i%2], c)
		}
		return b.String()
	}
}

// inPart writes every other byte in a format, and those that begin an escape.
func inPart(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for i, c := range []byte(s) {
			if i%2 == 0 && !bytes.ContainsRune([]byte(`%\&`), rune(c)) {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, format, c)
			}
		}
		return b.String()
	}
}

// TestEveryForm: a key, and any 12 of its characters, are replaced in every form and case, and nothing else is.
func TestEveryForm(t *testing.T) {
	for _, key := range []string{"pet-0123456789abcdef", "sk_live_51H8x/aZ+q==9Yt.Pq", "0f8fad5b-d9cb-469f-a165-70867728950e", `a%41\u0042&lt;c"d<e>`, "ABCDEFG1IJKL"} {
		r := NewRedactor(NewSecret("other-0123456789"), NewSecret(key))
		for _, part := range []string{key, key[:12], key[len(key)-12:], strings.ToUpper(key), SwapCase(key), Damage(key), key + key, "ab" + key, "a" + key} {
			if part == Damage(key) && len(key) < 24 && key != "pet-0123456789abcdef" {
				continue
			}
			for _, form := range forms {
				for _, around := range [][2]string{{"", ""}, {`{"a":"`, `"}`}, {"~ ", " ~"}, {strings.Repeat(".", 7), "\x00"}} {
					data := []byte(around[0] + form.write(part) + around[1])
					clean, hit := r.Redact(data)
					if !hit || !r.Found(data) || r.Found(clean) || bytes.Contains(clean, []byte(key[3:])) {
						t.Errorf("%s of %q: %q became %q", form.name, part, data, clean)
					}
					if !bytes.HasPrefix(clean, []byte(around[0])) || !bytes.HasSuffix(clean, []byte(around[1])) {
						t.Errorf("%s of %q: %q became %q, without what stood beside it", form.name, part, data, clean)
					}
				}
			}
		}
		for i := range len(key) - 11 {
			if eleven := key[i:i+5] + "~" + key[i+6:i+11]; r.Found([]byte(eleven)) {
				t.Errorf("%q is no 12 characters of %q in a row", eleven, key)
			}
		}
	}
}

// TestSearchAllocatesNothing: every body of a load is searched, and almost none has the key.
func TestSearchAllocatesNothing(t *testing.T) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"))
	listing := bytes.Repeat([]byte(`{"id":100000,"name":"petconform 7f3a9c21 list-fill 12","categoryId":1,"status":"available"},`), 20)
	if n := testing.AllocsPerRun(10, func() { r.Redact(listing) }); n > 0 {
		t.Errorf("%v allocations for a listing of 20 animals", n)
	}
}

// TestSparing: what an address has in common with a key stays, unless the whole key is in it.
func TestSparing(t *testing.T) {
	const address = "https://petstore-staging.example/v1"
	r := NewRedactor(NewSecret("petstore-staging-4711")).Sparing(address)
	if r.Found([]byte("GET "+address)) || !r.Found([]byte("petstore-staging-4711")) || !NewRedactor(NewSecret("petstore-staging")).Sparing(address).Found([]byte(address)) {
		t.Error("an address is spared unless the whole key is in it")
	}
	r = NewRedactor(NewSecret("my-ratelimit-remaining-4711"))
	if r.Found([]byte("X-RateLimit-Remaining: 7")) || !r.Found([]byte("remaining-4711")) {
		t.Error("the name of a header that reports have is spared, and the rest of the key is not")
	}
}

// TestLeaked: a few words of a key may be petconform's own. Longer ones, a part with a digit, another form and a short key are not.
func TestLeaked(t *testing.T) {
	r := NewRedactor(NewSecret("authorization-of-4711-"), NewSecret("test"))
	for text, want := range map[string]bool{
		"Authorization: Bearer": false, `\"authorization\"`: false, "authorization-of": true, "zation-of-47": true,
		"617574686f72697a6174696f6e": true, "Bearer test": true,
	} {
		if !r.Found([]byte(text)) || r.Leaked([]byte(text)) != want {
			t.Errorf("%s is a leak: %t is wanted", text, want)
		}
	}
}

// TestShortKeys: a short key that may be a word of any text is one behind its scheme only, and one of letters and digits as a word only.
func TestShortKeys(t *testing.T) {
	for _, key := range []string{"test", "free", "a", "12345", "Pending"} {
		r := NewRedactor(NewSecret(key))
		if text := []byte(`{"name": "` + key + `", "id": 12345, "plan": "free", "about": "a test"}`); r.Found(text) {
			t.Errorf("%q stands in %s as any word does", key, text)
		}
		for _, leak := range []string{"Authorization: Bearer " + key, `"bearer ` + key + `"`, "?header=Bearer%20" + key} {
			clean, hit := r.Redact([]byte(leak))
			if !hit || r.Found(clean) || !strings.Contains(string(clean), Mask) {
				t.Errorf("%q was wanted without its key: %s", leak, clean)
			}
		}
	}
	r := NewRedactor(NewSecret("key-1"))
	for text, want := range map[string]bool{"the key is %6bey-1.": true, `{"echo":"a\nkey-1"}`: true, "monkey-12": false} {
		if r.Found([]byte(text)) != want {
			t.Errorf("a short key that is no everyday word is found as a word: %s", text)
		}
	}
}

// TestKeysLikeTheMask: a key that stands within the mask, or that a mask and its neighbours read like, comes to an end all the same.
func TestKeysLikeTheMask(t *testing.T) {
	for _, key := range []string{"[key", "key]", "key", "[key]", "e", "]]", "[[", "a[key]", "[key][key]", "[key][key][key]", "y]["} {
		r := NewRedactor(NewSecret(key))
		for _, text := range []string{key, key + key, " " + key + " ", "[key]" + key, key + "[key]", "]]]]]]]]", "aaaa[key]", "[key][key][key]"} {
			clean, _ := r.Redact([]byte(text))
			if twice, again := r.Redact(clean); r.Found(clean) || again || !bytes.Equal(twice, clean) {
				t.Errorf("the key %q: %q became %q, and that %q", key, text, clean, twice)
			}
		}
	}
}
