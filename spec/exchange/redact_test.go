package exchange

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
)

// BenchmarkFound looks through the headers of an answer, which have no key.
func BenchmarkFound(b *testing.B) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"), NewSecret("other-0123456789abcdef"))
	for name, data := range map[string]string{
		"headers": "Content-Type\x01application/json\x01Date\x01Wed, 04 Mar 2026 05:06:07 GMT\x01X-Ratelimit-Limit\x0160\x01X-Ratelimit-Remaining\x0159\x01" +
			"X-Ratelimit-Reset\x011772600827\x01Content-Length\x012\x01Server\x01petstore/1.2.3\x01",
		"body": `{"id":4711,"name":"Bella","status":"available","category":{"id":1,"name":"dogs"},"photoUrls":["https://pets.example/photos/1.jpg"]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r.Found([]byte(data)) {
					b.Fatal("there is none")
				}
			}
		})
	}
}

// BenchmarkNewRedactor makes what each key of a load run has one of. B/op is more than it keeps.
func BenchmarkNewRedactor(b *testing.B) {
	b.ReportAllocs()
	var r *Redactor
	for b.Loop() {
		r = NewRedactor(NewSecret("pet-0123456789abcdef"), NewSecret("other-0123456789abcdef"))
	}
	b.ReportMetric(float64(len(r.pieces.marked)*8+18*len(r.pieces.telling)), "B/kept")
}

// A key that is an everyday word stands in any text, so that it is a key behind its scheme only.
func TestKeysThatAreEverydayWords(t *testing.T) {
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
	if r := NewRedactor(NewSecret("key-1")); !r.Found([]byte("the key is key-1.")) {
		t.Error("a short key that is no everyday word is found as a word")
	}
}

// A key of words has no piece that tells it from other text: it is looked for as a whole, and its words stay.
func TestKeysOfWords(t *testing.T) {
	for _, key := range []string{"test-key-12", "my-conformance-test-key", "petstore-2024", "00000000aaaaaaaa"} {
		r := NewRedactor(NewSecret(key))
		for _, leak := range []string{key, "(" + strings.ToUpper(key) + ")", strings.ReplaceAll(key, "e", "%65"), base64.StdEncoding.EncodeToString([]byte(key))} {
			clean, hit := r.Redact([]byte("it is " + leak + "."))
			if !hit || r.Found(clean) || !bytes.HasPrefix(clean, []byte("it is ")) || !bytes.Contains(clean, []byte(Mask)) {
				t.Errorf("%q of the key %q became %q", leak, key, clean)
			}
		}
		if text := []byte("a test key of petconform's petstore, 2024, my conformance test at 00:00:00"); r.Found(text) {
			t.Errorf("the key %q is found in %q", key, text)
		}
	}
}
