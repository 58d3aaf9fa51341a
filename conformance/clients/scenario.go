package clients

import (
	"math/rand/v2"
	"time"
)

// The plan of the scenario: a client of few requests reaches its end, and a wait for the next window is short, though
// Retry-After has 2 s, which a client that waits for a second each time does not wait for.
const (
	ScenarioMinute    = 1500 * time.Millisecond
	ScenarioPerMinute = 20
)

// variants are the lawful variants of the scenario, of each part one. A client may meet them at any service; the
// others are left to --freedom.
var variants = [][]string{
	{"ids-beyond-2-53", "ids-near-the-end", "ids-random"}, // a float64 cannot hold them
	{"others-spend-late", "others-spend-early"},           // 429s for a client that paces itself, too
	{"newest-first", "ordered-by-name", "random-order"},
	{"pet-with-more-members"},
	{"error-with-more-members"},
	{"compressed"},
	{"unavailable-once"},
	{"connection-closed-now-and-then"},
}

// Scenario returns the freedoms with which the reference service leads a client to what the requirements are about,
// the same for the same seed.
func Scenario(seed uint64) []string {
	random, names := rand.New(rand.NewPCG(seed, seed)), []string{}
	for _, of := range variants {
		names = append(names, of[random.IntN(len(of))])
	}
	return names
}
