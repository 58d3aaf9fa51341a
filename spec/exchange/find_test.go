package exchange

import (
	"bytes"
	"slices"
	"testing"
)

// Wherever a form stands, among other bytes or at an end, the quick look must not miss it.
func TestNoFormIsMissedAtAnyPlace(t *testing.T) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"), NewSecret("a=%26<>\"b"))
	if len(r.long) < 50 {
		t.Fatalf("dozens of forms were wanted, not %d", len(r.long))
	}
	for _, form := range r.long {
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
func contains(forms [][]byte, data []byte) bool {
	return slices.ContainsFunc(forms, func(form []byte) bool { return bytes.Contains(data, form) })
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
