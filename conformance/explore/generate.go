package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// generator makes sequences from a seed. The same seed makes the same sequences, because they do not depend on answers.
type generator struct {
	rand *rand.Rand
	// reads says that the target must not create animals.
	reads bool
	// gets says that getPet may be called, which it may not after its removal.
	gets  bool
	decks map[string]*deck
}

// deck deals the indexes of a list in a random order, each once before any repeats. So every value is sent after as many draws as
// there are values.
type deck struct{ order []int }

func newGenerator(seed uint64, reads, gets bool) *generator {
	return &generator{rand: rand.New(rand.NewPCG(seed, 0x6578706c6f7265)), reads: reads, gets: gets, decks: map[string]*deck{}}
}

// The first indexes up to fresh are dealt before the others.
func (g *generator) deal(name string, n int) int { return g.dealFresh(name, 0, n) }

func (g *generator) dealFresh(name string, fresh, n int) int {
	d := g.decks[name]
	if d == nil {
		d = &deck{}
		g.decks[name] = d
	}
	if len(d.order) == 0 {
		d.order = g.rand.Perm(fresh)
		for _, i := range g.rand.Perm(n - fresh) {
			d.order = append(d.order, fresh+i)
		}
	}
	i := d.order[0]
	d.order = d.order[1:]
	return i
}

// mood weighs the kinds of actions of a sequence. Sequences with many actions of a few kinds find more than even mixtures.
type mood []struct {
	kind   kind
	weight int
}

var moods = []mood{
	{{create, 4}, {again, 1}, {wrong, 2}, {openBody, 1}, {list, 4}, {listOpen, 1}, {get, 3}, {getEarly, 1}, {getUnknown, 1}, {getNoInt64, 1}, {unkeyed, 1}},
	{{create, 3}, {again, 4}, {list, 2}, {get, 3}},                     // repeated bodies
	{{wrong, 6}, {create, 2}, {get, 1}},                                // requests after refusals
	{{create, 1}, {list, 8}, {listJust, 1}},                            // limits and filters in any order
	{{create, 3}, {getEarly, 3}, {get, 3}},                             // early reads
	{{create, 2}, {get, 4}, {getOlder, 4}, {list, 1}, {getUnknown, 1}}, // repeated reads
	{{create, 6}, {list, 3}, {listJust, 1}},                            // many creations
}

// next makes a sequence.
func (g *generator) next() []action {
	m := moods[g.deal("moods", len(moods))]
	n := 4 + g.rand.IntN(8)
	crowded := g.rand.IntN(4) == 0
	var sequence []action
	for len(sequence) < n {
		a, ok := g.action(g.pick(m))
		if !ok {
			n-- // the kind is not allowed on this target
			continue
		}
		a.beside = crowded && len(sequence) > 0 && g.rand.IntN(2) == 0
		sequence = append(sequence, a)
	}
	return sequence
}

func (g *generator) pick(m mood) kind {
	sum := 0
	for _, w := range m {
		sum += w.weight
	}
	at := g.rand.IntN(sum)
	for _, w := range m {
		if at -= w.weight; at < 0 {
			return w.kind
		}
	}
	return m[0].kind
}

func (g *generator) action(k kind) (action, bool) {
	a := action{kind: k}
	switch k {
	case create:
		a = g.creation()
	case again, get, getOlder:
		a.back = g.rand.IntN(3) * g.rand.IntN(5)
		if k == again && g.rand.IntN(3) == 0 {
			a.category = &categories[g.deal("categories", len(categories))]
		}
	case wrong:
		all := slices.Concat(invalid.Neighbours, invalid.Explored)
		a.text = all[g.dealFresh("wrong", len(invalid.Neighbours), len(all))]
	case openBody:
		a.text = openBodies[g.deal("open", len(openBodies))]
	case list:
		a.text = g.query()
	case listOpen:
		a.text = openQueries[g.deal("queries", len(openQueries))]
	case getEarly:
		a.back = g.rand.IntN(2)
	case getUnknown:
		a.text = invalid.UnknownIDs[g.deal("unknown", len(invalid.UnknownIDs))]
	case getNoInt64:
		a.text = invalid.NoInt64[g.deal("no-int64", len(invalid.NoInt64))]
	case unkeyed:
		credentials := []exchange.Auth{exchange.NoKey, exchange.UnknownKey, exchange.EmptyKey, exchange.TruncatedKey, exchange.PrefixedKey, exchange.ExtendedKey, exchange.KeyHeader, exchange.BasicScheme, exchange.NoScheme}
		a.auth = credentials[g.deal("credentials", len(credentials))]
		a.operation = []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet}[g.rand.IntN(3)]
	}
	return a, g.allows(a)
}

// allows reports whether the target may be asked for the action.
func (g *generator) allows(a action) bool {
	fetches := slices.Contains([]kind{get, getOlder, getThat, getEarly, getUnknown, getNoInt64}, a.kind) || a.kind == unkeyed && a.operation == spec.GetPet
	return !(g.reads && a.creates()) && !(fetches && !g.gets)
}

func (g *generator) allowed(sequence []action) []action {
	return slices.DeleteFunc(sequence, func(a action) bool { return !g.allows(a) })
}

// creation varies one property of a plain animal, so that a failure points to that property.
func (g *generator) creation() action {
	a := action{kind: create, status: append(spec.Statuses(), "")[g.rand.IntN(4)]}
	switch g.rand.IntN(5) {
	case 0:
		a.name = g.deal("names", len(names))
	case 1:
		c := categories[g.deal("categories", len(categories))]
		a.category = &c
	case 2:
		a.form = g.deal("forms", len(forms))
	}
	return a
}

// query leaves the limit out or uses 100 often, and deals each other limit once.
func (g *generator) query() string {
	q := ""
	switch g.rand.IntN(4) {
	case 0:
	case 1:
		q = "limit=100"
	default:
		q = fmt.Sprintf("limit=%d", g.deal("limits", spec.MaxLimit)+1)
	}
	if g.rand.IntN(2) == 0 {
		if q != "" {
			q += "&"
		}
		q += "status=" + string(spec.Statuses()[g.rand.IntN(3)])
	}
	return q
}
