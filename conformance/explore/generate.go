package explore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Generator draws sequences. They do not depend on responses, so the same seed makes the same sequences. Each sequence,
// and each deck, has random numbers of its own, so that a row more moves the draws of its kind alone.
type Generator struct {
	seed uint64
	// decks have the requests of each kind in a random order, and dealt is how many of each were drawn. So every value is
	// sent after as many draws as there are values.
	decks map[kind][]plan.Request
	dealt map[kind]int
}

// kind is a kind of request: rows of the checks, and drawn ones.
type kind string

const (
	creation, again, refused kind = "creation", "again", "refused"
	listing, fetch, keyless  kind = "listing", "fetch", "keyless"
	mine, coming             kind = "mine", "coming" // getPet of animals of the sequence
)

var kinds = []kind{creation, again, refused, listing, fetch, keyless, mine, coming}

// moods weigh the kinds of a sequence. Sequences with many requests of a few kinds find more than even mixtures.
var moods = []map[kind]int{
	{creation: 5, again: 1, refused: 3, listing: 4, fetch: 2, mine: 2, coming: 1, keyless: 2},
	{creation: 3, again: 4, listing: 2, mine: 3},
	{refused: 5, creation: 2, mine: 1, listing: 1}, // after refusals
	{creation: 1, listing: 8},                      // limits and filters
	{mine: 1, listing: 8},
	{creation: 3, coming: 3, mine: 3},            // early reads
	{creation: 2, mine: 4, fetch: 4, listing: 1}, // reads once more
	{creation: 6, listing: 3},
	{keyless: 2, fetch: 2, listing: 2}, // with a key and without
}

// NewGenerator draws from the rows of the checks, and from values that only sequences have: of createPet if creates, and
// of getPet if fetches.
func NewGenerator(seed uint64, checks []plan.Check, creates, fetches bool) *Generator {
	g := &Generator{seed: seed, decks: map[kind][]plan.Request{}, dealt: map[kind]int{}}
	for _, c := range checks {
		for _, r := range c.Rows {
			if max(c.In, r.In) < plan.Ending { // what may break the service for good is sent once
				g.decks[kindOf(r)] = append(g.decks[kindOf(r)], plan.Request{Check: c.ID, Row: r})
			}
		}
	}
	g.drawn(creates, fetches)
	for i, k := range kinds {
		all := g.decks[k]
		g.random(-1-i).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return g
}

// random are the random numbers of a sequence, or of a deck, by its number.
func (g *Generator) random(n int) *rand.Rand { return rand.New(rand.NewPCG(g.seed, uint64(n))) }

func kindOf(r plan.Row) kind {
	switch {
	case r.Auth != "" && r.Auth != exchange.Key:
		return keyless
	case r.Creates():
		return creation
	case r.Writes():
		return refused
	case strings.HasPrefix(r.Path, "/pets/"):
		return fetch
	}
	return listing
}

// put adds a row that only sequences send, with values for the words in it.
func (g *Generator) put(k kind, step string, values ...string) {
	g.decks[k] = append(g.decks[k], plan.DrawnRow(step, values...))
}

// back are the places of earlier animals, counted from the last one: it is often that.
var back = []int{0, 0, 0, 0, 1, 2, 2, 3, 4, 6}

// longer is by how many bytes names differ: the shortest has 26.
const longer = 42

// drawn adds what only sequences send: of createPet if creates, and of getPet if fetches.
func (g *Generator) drawn(creates, fetches bool) {
	status := func(n int) string { return string(spec.Statuses()[n%3]) }
	bounds := []int64{math.MaxInt64, math.MinInt64} // of the integers that services may store
	for _, bits := range []int{8, 15, 16, 31, 32, 53} {
		most := int64(1<<bits - 1)
		bounds = append(bounds, most, most+1, -most-1, -most-2)
	}
	for n := 0; creates && n < longer; n++ {
		g.put(creation, "animal", "{name}", "{name}"+strings.Repeat("y", n), "{status}", status(n))
		g.put(creation, "category", "{category}", strconv.FormatInt(bounds[n%len(bounds)], 10), "{status}", status(n))
		if n%2 == 0 {
			g.put(creation, "animal", "{status}", status(n))
			g.put(creation, "namesake", "{named}", fmt.Sprintf("{named-%d}", back[n%len(back)]), "{status}", status(n))
		}
	}
	for _, n := range back {
		if creates {
			g.put(again, "again", "{made}", fmt.Sprintf("{made-%d}", n))
		}
		if fetches {
			g.put(mine, "mine", "{id}", fmt.Sprintf("{mine-%d}", n))
			g.put(coming, "coming", "{id}", fmt.Sprintf("{coming-%d}", n%2))
		}
	}
	for n := range spec.MaxLimit {
		g.put(listing, "limit", "{limit}", strconv.Itoa(n+1))
		if n%8 > 0 {
			continue
		}
		for _, limit := range []string{"{shown}", "{limit}", "{limit}"} {
			g.put(listing, "limit", "{limit}", limit)
		}
		g.put(listing, "no-limit")
		for i, step := range []string{"status", "status-and-limit", "status-and-limit"} {
			g.put(listing, step, "{status}", status(n/8+i))
		}
	}
}

// Next draws the requests of a sequence.
func (g *Generator) Next(n int) (all []plan.Request) {
	var bag []kind
	for _, k := range kinds {
		bag = append(bag, slices.Repeat([]kind{k}, moods[n%len(moods)][k])...)
	}
	random := g.random(n)
	for range 4 + random.IntN(8) {
		k := bag[random.IntN(len(bag))]
		if deck := g.decks[k]; len(deck) > 0 {
			all = append(all, deck[g.dealt[k]%len(deck)])
			g.dealt[k]++
		}
	}
	return all
}
