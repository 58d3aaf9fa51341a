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

// generator makes sequences from a seed. They do not depend on responses, so the same seed makes the same sequences.
type generator struct {
	rand *rand.Rand
	Config
	// rows are those of the checks, by kind. decks are the places in each list that are still to be dealt.
	rows  map[string][]plan.Request
	decks map[string][]int
}

func newGenerator(r *rand.Rand, cfg Config) *generator {
	g := &generator{rand: r, Config: cfg, rows: map[string][]plan.Request{}, decks: map[string][]int{}}
	for _, c := range cfg.Checks {
		for _, r := range c.Rows {
			if max(c.In, r.In) < plan.Ending { // what may break the service for good is sent once
				g.rows[kindOf(r)] = append(g.rows[kindOf(r)], plan.Request{Check: c.ID, Row: r})
			}
		}
	}
	return g
}

func kindOf(r plan.Row) string {
	switch {
	case r.Auth != "" && r.Auth != exchange.Key:
		return "keyless"
	case plan.Creates(r):
		return "creation"
	case r.Writes():
		return "refused"
	case strings.HasPrefix(r.Path, "/pets/"):
		return "fetch"
	}
	return "listing"
}

// deal deals the places in a list in a random order, each once before any repeats, and the first ones before the others.
// So every value is sent after as many draws as there are values.
func (g *generator) deal(deck string, first, n int) int {
	order := g.decks[deck]
	if len(order) == 0 {
		order = g.rand.Perm(first)
		for _, i := range g.rand.Perm(n - first) {
			order = append(order, first+i)
		}
	}
	g.decks[deck] = order[1:]
	return order[0]
}

// back is the place of an earlier animal: often the last one.
func (g *generator) back() int { return g.rand.IntN(3) * g.rand.IntN(5) }

func (g *generator) status() string { return string(spec.Statuses()[g.rand.IntN(3)]) }

// last returns the element n before the last one.
func last[T any](all []T, n int) (one T, ok bool) {
	if n >= len(all) {
		return one, false
	}
	return all[len(all)-1-n], true
}

// mood weighs the actions of a sequence. Sequences with many actions of a few kinds find more than even mixtures.
type mood []struct {
	draw   func(*generator) action
	weight int
}

var moods = []mood{
	{{created, 3}, {ofRows("creation"), 2}, {again, 1}, {refused, 2}, {ofRows("refused"), 1}, {listed, 2}, {ofRows("listing"), 2},
		{own, 2}, {ofRows("fetch"), 2}, {toCome, 1}, {ofRows("keyless"), 2}},
	{{created, 3}, {again, 4}, {listed, 2}, {own, 3}},
	{{refused, 5}, {created, 2}, {own, 1}, {listed, 1}}, // after refusals
	{{created, 1}, {listed, 8}},                         // limits and filters
	{{own, 1}, {listed, 8}},
	{{created, 3}, {toCome, 3}, {own, 3}},                       // early reads
	{{created, 2}, {own, 4}, {ofRows("fetch"), 4}, {listed, 1}}, // reads once more
	{{created, 4}, {ofRows("creation"), 2}, {listed, 3}},        // many creations
	{{ofRows("keyless"), 2}, {ofRows("fetch"), 2}, {listed, 2}}, // with a key and without
}

// next makes a sequence.
func (g *generator) next() (s sequence) {
	var bag []func(*generator) action
	for _, w := range moods[g.deal("moods", 0, len(moods))] {
		bag = append(bag, slices.Repeat([]func(*generator) action{w.draw}, w.weight)...)
	}
	s.atOnce = g.rand.IntN(6) == 0
	for range 4 + g.rand.IntN(8) {
		if a := bag[g.rand.IntN(len(bag))](g); a != nil {
			s.actions = append(s.actions, a)
		}
	}
	return s
}

// ofRows sends the rows of one kind.
func ofRows(kind string) func(*generator) action {
	return func(g *generator) action {
		if len(g.rows[kind]) == 0 {
			return nil
		}
		return always(g.rows[kind][g.deal(kind, 0, len(g.rows[kind]))])
	}
}

func always(q plan.Request) action {
	return func(*execution) (plan.Request, bool) { return q, true }
}

// drawn is a row that only sequences send.
func drawn(step string) plan.Request {
	r, _ := plan.Drawn.Row(step)
	return plan.Request{Check: plan.Drawn.ID, Row: r}
}

// The lengths of names, in bytes. Those of the animals of a run begin with 20 and more.
const shortest, longest = 28, 67

// categories are the bounds of the integers that services may store.
var categories = func() (all []int64) {
	for _, bits := range []int{8, 15, 16, 31, 32, 53} {
		most := int64(1<<bits - 1)
		all = append(all, most, most+1, -most-1, -most-2)
	}
	return append(all, math.MaxInt64, math.MinInt64)
}()

// created is an animal with one thing drawn: the length of its name, or a category. It may have the name of another
// animal of the sequence.
func created(g *generator) action {
	if !g.Creates {
		return nil
	}
	q, length := drawn("animal"), 0
	switch g.rand.IntN(3) {
	case 0:
		length = shortest + g.deal("lengths", 0, longest-shortest+1)
	case 1:
		q = drawn("category")
		q.Body = strings.ReplaceAll(q.Body, "%c", strconv.FormatInt(categories[g.deal("categories", 0, len(categories))], 10))
	}
	q.Body = strings.ReplaceAll(q.Body, string(spec.Available), g.status())
	namesake, n := g.rand.IntN(4) == 0, g.back()
	return func(x *execution) (plan.Request, bool) {
		name, has := last(x.names, n)
		if !namesake || !has {
			name = x.name(length)
			x.names = append(x.names, name)
		}
		q := q
		q.Body = withName(q.Body, name)
		return q, true
	}
}

// again is an earlier creation of the sequence once more.
func again(g *generator) action {
	n := g.back()
	return func(x *execution) (plan.Request, bool) {
		q, ok := last(x.made, n)
		q.Step = plan.Again(q.Step, 2)
		return q, ok
	}
}

// refused is a body that createPet has to refuse.
func refused(g *generator) action {
	if !g.Creates {
		return nil
	}
	all, rare := plan.DrawnRefusals()
	return always(plan.Request{Check: plan.Drawn.ID, Row: all[g.deal("bodies", rare, len(all))]})
}

// listed is a listing with any limit: a drawn one, none, 100, that of the listing before, or as many as that showed. One
// with a status has the limit of the listing before, so that a refused limit shows without the filter too.
func listed(g *generator) action {
	kind, status, limit := g.rand.IntN(14), "status="+g.status(), "limit=100"
	if kind > 7 {
		limit = fmt.Sprint("limit=", g.deal("limits", 0, spec.MaxLimit)+1)
	}
	return func(x *execution) (plan.Request, bool) {
		step, query := "limit", limit
		switch {
		case kind == 0:
			query = fmt.Sprint("limit=", min(max(x.listed, spec.MinLimit), spec.MaxLimit))
		case kind <= 2:
			query = x.limit
		case kind <= 5:
			step, query = "status", strings.TrimSuffix(status+"&"+x.limit, "&")
		case kind == 6:
			query = ""
		}
		if query == "" {
			step = "no-limit"
		}
		q := drawn(step)
		q.Path = strings.TrimSuffix("/pets?"+query, "?")
		return q, true
	}
}

// own is getPet of an animal of the sequence.
func own(g *generator) action {
	n := g.back()
	return func(x *execution) (plan.Request, bool) {
		id, ok := last(x.ids, n)
		q := drawn("own")
		q.Path += id
		return q, ok && g.Fetches
	}
}

// toCome is getPet of an id that the animals of the sequence get, where ids count up.
func toCome(g *generator) action {
	n := int64(g.rand.IntN(2))
	return func(x *execution) (plan.Request, bool) {
		most := int64(0)
		for _, c := range x.state.Created() {
			if id, err := strconv.ParseInt(c.Answered.ID, 10, 64); err == nil {
				most = max(most, id)
			}
		}
		q := drawn("to-come")
		q.Path += strconv.FormatInt(most+1+n, 10)
		return q, most > 0 && most < 1<<62 && g.Fetches
	}
}
