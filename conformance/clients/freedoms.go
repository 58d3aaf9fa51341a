package clients

import (
	"math/rand/v2"

	"petconform/spec/reference"
)

// wideIDs are the freedoms whose ids a float64 cannot hold, so that a client that rounds ids is found.
var wideIDs = []string{"ids-random", "ids-beyond-2-53", "ids-near-the-end"}

// moreFreedoms is the number of freedoms that SomeFreedoms chooses in addition to that of the ids.
const moreFreedoms = 5

// SomeFreedoms returns the names of lawful variants that a client has to tolerate, the same for the same seed.
func SomeFreedoms(seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, seed))
	names := []string{wideIDs[random.IntN(len(wideIDs))]}
	all, taken := reference.Freedoms(), map[string]bool{"ids": true}
	for _, i := range random.Perm(len(all)) {
		if f := all[i]; !taken[f.Part] && len(names) <= moreFreedoms {
			taken[f.Part], names = true, append(names, f.Name)
		}
	}
	return names
}
