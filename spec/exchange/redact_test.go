package exchange

import (
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
	b.ReportMetric(float64(len(r.telling.marked)*16+8*cap(r.telling.all)+8*cap(r.all.all)), "B/kept")
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
