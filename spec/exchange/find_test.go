package exchange

import (
	"bytes"
	"strings"
	"testing"
)

// Wherever a form stands, among other bytes or at an end, the quick look must not miss it.
func TestNoFormIsMissedAtAnyPlace(t *testing.T) {
	r := NewRedactor(NewSecret("pet-0123456"), NewSecret("a=%26<>\"b")) // with too few letters for marks
	if len(r.long.ends) < 50 {
		t.Fatalf("dozens of forms were wanted, not %d", len(r.long.ends))
	}
	for form := range r.long.all {
		for before := range 2 * stride {
			for _, behind := range []int{0, 1, 9} {
				data := append(append(bytes.Repeat([]byte{'.'}, before), form...), bytes.Repeat([]byte{'.'}, behind)...)
				if !r.Found(data) {
					t.Fatalf("%q with %d bytes before it and %d behind was missed", form, before, behind)
				}
				if cut := data[before+1:]; r.Found(cut) != contains(r.long, cut) {
					t.Fatalf("%q: found is %t, and %t was wanted", cut, r.Found(cut), contains(r.long, cut))
				}
			}
		}
	}
}

// contains looks for every form on its own.
func contains(forms formList, data []byte) bool {
	for form := range forms.all {
		if bytes.Contains(data, form) {
			return true
		}
	}
	return false
}

// BenchmarkFound looks through the headers of an answer, which have no key.
func BenchmarkFound(b *testing.B) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"), NewSecret("other-0123456789abcdef"))
	data := []byte("Content-Type\x00application/json\x00Date\x00Wed, 04 Mar 2026 05:06:07 GMT\x00X-Ratelimit-Limit\x0060\x00X-Ratelimit-Remaining\x0059\x00" +
		"X-Ratelimit-Reset\x001772600827\x00Content-Length\x002\x00Server\x00petstore/1.2.3\x00")
	for b.Loop() {
		if r.Found(data) {
			b.Fatal("there is none")
		}
	}
}

// BenchmarkNewRedactor makes what each key of a load run has one of. B/op is more than it keeps.
func BenchmarkNewRedactor(b *testing.B) {
	b.ReportAllocs()
	var r *Redactor
	for b.Loop() {
		r = NewRedactor(NewSecret("pet-0123456789abcdef"), NewSecret("other-0123456789abcdef"))
	}
	kept := len(r.find.marked)*8 + len(r.marks.marked)*8 + 16*cap(r.marks.grams)
	for _, m := range r.marks.all {
		kept += 40 + cap(m.letters)
	}
	b.ReportMetric(float64(kept), "B/kept")
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
