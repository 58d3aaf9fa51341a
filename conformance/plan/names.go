package plan

import (
	"fmt"
	"strings"
	"sync"

	"petconform/spec"
)

// The words in the steps of requests that the tables don't have: of a read that is sent again, of the getPet of any
// animal, and of a createPet after one that was refused.
const again, ofAnimal, afterRefused = ", again ", "animal ", "after "

// Again is the step of a read that is sent once more, for the n-th time.
func Again(step string, n int) string { return fmt.Sprint(Asked(step), again, n) }

// Asked is the step of a read as it was sent first.
func Asked(step string) string {
	asked, _, _ := strings.Cut(step, again)
	return asked
}

// Animal is the getPet that a run of any size sends for an animal that a listing lacks.
func Animal(id string) Request { return Request{"get-existing", get(ofAnimal+id, id)} }

// WholeStore lists all that was created, where no other listing shows it.
var WholeStore = Request{"list-created", Row{Step: "all", Path: "/pets?limit=100"}}

// later is a plain createPet after one of the check that was refused: only a full store refuses it too.
func later(check, refused string) Request {
	return Request{check, pet(afterRefused+refused, "%n", "%c", spec.Available)}
}

// RowOf returns the row that an exchange was sent for. A request of a generated sequence has the check and the step of
// its row after its place in the sequence; a read that was sent again has a number after its step.
func RowOf(check, step string) (Row, bool) {
	c, known := catalogue()[check]
	if c.Generated {
		_, of, _ := strings.Cut(step, " ")
		check, step, _ = strings.Cut(of, "/")
		c, known = catalogue()[check]
	}
	if !known {
		return Row{}, false
	}
	step = Asked(step)
	r, known := rowsByName()[check+"/"+step]
	id, animal := strings.CutPrefix(step, ofAnimal)
	refused, after := strings.CutPrefix(step, afterRefused)
	switch {
	case known:
		return r, true
	case animal:
		return Animal(id).Row, true
	case after:
		return later(check, refused).Row, true
	}
	r = c.Like
	r.Step = step
	return r, c.More != nil
}

// Find returns the check with an id.
func Find(id string) (Check, bool) {
	c, ok := catalogue()[id]
	return c, ok && !c.Generated
}

// Generated reports whether the seed chooses the requests of a check.
func Generated(check string) bool { return catalogue()[check].Generated }

// catalogue has every check by its id.
var catalogue = sync.OnceValue(func() map[string]Check {
	by := map[string]Check{}
	for _, c := range append(All(), Explored, Drawn) {
		by[c.ID] = c
	}
	return by
})

// rowsByName has every row, also those that others are taken apart into.
var rowsByName = sync.OnceValue(func() map[string]Row {
	by := map[string]Row{}
	for _, c := range catalogue() {
		for _, r := range c.Rows {
			for _, one := range append([]Row{r}, r.Apart...) {
				by[Request{c.ID, one}.Name()] = one
			}
		}
	}
	return by
})
