package waiver

import (
	"testing"
)

// FuzzParse: whatever a file of waivers has, it is refused with a short reason, or each waiver in it is well-formed.
func FuzzParse(f *testing.F) {
	f.Add([]byte("- {id: W-1, check: list-5, reason: soon, risk: large listings, ticket: PETS-412, owner: Ada Vance, approver: Noor Idris, from: 2026-03-01, ends: 2026-04-01}\n"))
	f.Add([]byte("[{id: a}, {id: a}]\n---\n"))
	f.Add([]byte("[&a {id: x}, *a, *a]\n"))
	f.Add([]byte("&w [*w]\n"))
	f.Add([]byte("- <<: {id: W-1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			if n := len(err.Error()); n > 1000+2*len(data) {
				t.Errorf("an error of %d bytes for a file of %d", n, len(data))
			}
			return
		}
		seen := map[string]bool{}
		for _, w := range file.Waivers {
			if err := w.wellFormed(); err != nil || seen[w.ID] {
				t.Errorf("waiver %q was taken: %v", w.ID, err)
			}
			seen[w.ID] = true
		}
	})
}
