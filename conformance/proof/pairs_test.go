package proof_test

import (
	"os"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec/reference"
)

// stride picks every so many of the pairs of freedoms for an everyday run; PETCONFORM_ALL_PAIRS=1 runs them all, in some
// minutes. It has no factor in common with the number of freedoms, so that each freedom is met in many pairs.
const stride = 23

// TestPairsOfFreedomsConform: two liberties taken at once are still lawful.
func TestPairsOfFreedomsConform(t *testing.T) {
	all := reference.FreedomPairs()
	some := all
	if os.Getenv("PETCONFORM_ALL_PAIRS") == "" {
		some = nil
		for i := 0; i < len(all); i += stride {
			some = append(some, all[i])
		}
	}
	t.Logf("%d of %d pairs", len(some), len(all))
	each(t, some, func(p [2]reference.Freedom) string { return p[0].Name + "+" + p[1].Name }, func(t *testing.T, p [2]reference.Freedom) {
		lawful(t, proof.Service{Freedoms: []string{p[0].Name, p[1].Name}})
	})
}
