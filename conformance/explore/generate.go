package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

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
	gets bool
	// decks are the indexes of each list that are still to be dealt.
	decks map[string][]int
}

func newGenerator(seed uint64, reads, gets bool) *generator {
	return &generator{rand: rand.New(rand.NewPCG(seed, 0x6578706c6f7265)), reads: reads, gets: gets, decks: map[string][]int{}}
}

// deal deals the indexes of a list in a random order, each once before any repeats, and those up to fresh before the
// others. So every value is sent after as many draws as there are values.
func (g *generator) deal(name string, fresh, n int) int {
	order := g.decks[name]
	if len(order) == 0 {
		order = g.rand.Perm(fresh)
		for _, i := range g.rand.Perm(n - fresh) {
			order = append(order, fresh+i)
		}
	}
	g.decks[name] = order[1:]
	return order[0]
}

// mood weighs the actions of a sequence. Sequences with many actions of a few kinds find more than even mixtures.
type mood []struct {
	draw   func(g *generator) action
	weight int
}

var moods = []mood{
	{{creation, 4}, {repeated, 1}, {wrong, 2}, {openBody, 1}, {list, 4}, {listOpen, 1}, {own, 3}, {early, 1}, {unknown, 1},
		{noInt64, 1}, {wrongKey, 1}},
	{{creation, 3}, {repeated, 4}, {list, 2}, {own, 3}},
	{{wrong, 6}, {creation, 2}, {own, 1}},                          // requests after refusals
	{{creation, 1}, {list, 8}, {justAll, 1}},                       // limits and filters in any order
	{{creation, 3}, {early, 3}, {own, 3}},                          // early reads
	{{creation, 2}, {own, 4}, {older, 4}, {list, 1}, {unknown, 1}}, // repeated reads
	{{creation, 6}, {list, 3}, {justAll, 1}},                       // many creations
}

// next makes a sequence.
func (g *generator) next() []action {
	m := dealt(g, "moods", moods)
	n := 4 + g.rand.IntN(8)
	crowded := g.rand.IntN(4) == 0
	var sequence []action
	for len(sequence) < n {
		a := g.pick(m)(g)
		if !g.allows(a) {
			n-- // this target must not be asked for it
			continue
		}
		a.beside = crowded && len(sequence) > 0 && g.rand.IntN(2) == 0
		sequence = append(sequence, a)
	}
	return sequence
}

func (g *generator) pick(m mood) func(*generator) action {
	sum := 0
	for _, w := range m {
		sum += w.weight
	}
	at := g.rand.IntN(sum)
	for _, w := range m {
		if at -= w.weight; at < 0 {
			return w.draw
		}
	}
	return m[0].draw
}

// allows reports whether the target may be asked for the action.
func (g *generator) allows(a action) bool { return !(g.reads && a.creates) && !(a.fetches && !g.gets) }

func (g *generator) allowed(sequence []action) []action {
	return slices.DeleteFunc(sequence, func(a action) bool { return !g.allows(a) })
}

// dealt is an element of a list.
func dealt[T any](g *generator, name string, all []T) T { return all[g.deal(name, 0, len(all))] }

// back is the place of an earlier animal: often the last one.
func (g *generator) back() int { return g.rand.IntN(3) * g.rand.IntN(5) }

// creation varies one property of a plain animal, so that a failure points to that property.
func creation(g *generator) action {
	status := append(spec.Statuses(), "")[g.rand.IntN(4)]
	switch g.rand.IntN(5) {
	case 0:
		i := g.deal("names", 0, len(names)+len(oddNames))
		if i < len(names) {
			return formed(mustCreate, forms[0], status, names[i])
		}
		return formed(mayCreate, forms[0], status, oddNames[i-len(names)])
	case 1:
		category := fmt.Sprint(dealt(g, "categories", categories))
		with, without := strings.ReplaceAll(forms[0].with, "%c", category), strings.ReplaceAll(forms[0].without, "%c", category)
		return formed(mayCreate, form{with, without}, status, names[0])
	case 2:
		return formed(mustCreate, dealt(g, "forms", forms), status, names[0])
	}
	return newPet(status)
}

func repeated(g *generator) action {
	n := g.back()
	if g.rand.IntN(3) > 0 {
		return again(n, nil)
	}
	category := dealt(g, "categories", categories)
	return again(n, &category)
}

func wrong(g *generator) action {
	all, rare := invalid.Generated()
	b := all[g.deal("wrong", rare, len(all))]
	return post(string(b.Breaks), b.Text, names[0])
}

func openBody(g *generator) action { return post(mayCreate, dealt(g, "open", openBodies), names[0]) }
func listOpen(g *generator) action { return listing(dealt(g, "queries", openQueries)) }
func justAll(*generator) action    { return listJustAll() }
func own(g *generator) action      { return getOwn(g.back()) }
func older(g *generator) action    { return getOlder(g.back()) }
func early(g *generator) action    { return getEarly(g.rand.IntN(2)) }
func unknown(g *generator) action {
	return getID("get-unknown", dealt(g, "unknown", invalid.UnknownIDs))
}
func noInt64(g *generator) action {
	return getID("get-no-int64", dealt(g, "no-int64", invalid.NoInt64))
}

func wrongKey(g *generator) action {
	auth := dealt(g, "credentials", []exchange.Auth{exchange.NoKey, exchange.UnknownKey, exchange.EmptyKey, exchange.TruncatedKey,
		exchange.PrefixedKey, exchange.ExtendedKey, exchange.KeyHeader, exchange.BasicScheme, exchange.NoScheme})
	return unkeyed(auth, []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet}[g.rand.IntN(3)])
}

// list leaves the limit out or uses 100 often, and deals each other limit once.
func list(g *generator) action {
	q := ""
	switch g.rand.IntN(4) {
	case 0:
	case 1:
		q = "limit=100"
	default:
		q = fmt.Sprintf("limit=%d", g.deal("limits", 0, spec.MaxLimit)+1)
	}
	if g.rand.IntN(2) == 0 {
		q = strings.TrimPrefix(q+"&status="+string(spec.Statuses()[g.rand.IntN(3)]), "&")
	}
	return listing(q)
}
