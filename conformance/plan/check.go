package plan

import (
	"slices"
	"sync"

	"petconform/spec"
)

// Check is a group of rows that prove one requirement, with what they need.
type Check struct {
	// ID names the check in results, on the command line and in waivers. It never changes.
	ID, Title string
	Operation spec.Operation
	// Proves is the requirement that the check exists for: if the check is inconclusive, so is the requirement. It is
	// empty for a check whose responses only rules judge. Also lists the others that its findings and observations may
	// name.
	Proves spec.ID
	Also   []spec.ID
	// Needs lists the checks that are sent too where the check is.
	Needs []string
	// Animals says that it is one of those that create animals of each kind, which the name Animals selects.
	Animals bool
	// Idle says why the check sends nothing, where it has nothing to send.
	Idle string
	// In is the phase of the rows.
	In   Phase
	Rows []Row
	// More returns rows that depend on what is known. Each is like Like, with a step of its own.
	More func(*State) []Row
	Like Row
}

// Phase is a part of a run. A phase is sent when the one before has ended, since order is meaning.
type Phase int

// The phases, in order.
const (
	// Found lists the store as it is, one request after the other.
	Found Phase = iota + 1
	// Statuses creates an animal with each status, one after the other, and asks for one that is yet to be created.
	Statuses
	// Refused sends the first body of each kind that has to be refused, and createPet without a valid key, before
	// accepted ones use up the budget of creations.
	Refused
	// Valid creates animals side by side.
	Valid
	// RefusedMore sends the other bodies that have to be refused, and those that are open.
	RefusedMore
	// Filling creates what the store lacks of 21 animals.
	Filling
	// Reads lists and fetches.
	Reads
	// Keyless sends reads without a valid key, after those with it, whose responses a cache may keep.
	Keyless
	// Parting sends the parts of rows that failed.
	Parting
	// Created looks at all that was created, and at what refused requests may have left. Afterwards the run asks again
	// what disagrees.
	Created
	// Opening sends what the interface leaves open.
	Opening
	// Ending sends what may break the service for good.
	Ending
)

// InTurn reports whether the rows of a phase are sent one after the other.
func (p Phase) InTurn() bool { return p == Found || p == Statuses || p == Parting || p == Ending }

// Requirements returns every requirement that findings and observations of the check may name, Proves first.
func (c Check) Requirements() []spec.ID {
	if c.Proves == "" {
		return []spec.ID{}
	}
	return append([]spec.ID{c.Proves}, c.Also...)
}

// Names reports whether findings of the check may name a requirement.
func (c Check) Names(id spec.ID) bool { return slices.Contains(c.Requirements(), id) }

// Writes reports whether a read-only run leaves the check out, since a service could create an animal.
func (c Check) Writes() bool { return c.Operation == spec.CreatePet }

// Row returns the row that a step names: one of the check's rows, or one like those of More. A read that was sent again
// has the name of its row and a number.
func (c Check) Row(step string) (Row, bool) {
	step = Asked(step)
	if r, ok := rowsByName()[c.ID+"/"+step]; ok {
		return r, true
	}
	if r, ok := ofAny(step); ok {
		return r, true
	}
	r := c.Like
	r.Step = step
	return r, c.More != nil
}

// rowsByName has every row and part.
var rowsByName = sync.OnceValue(func() map[string]Row {
	by := map[string]Row{}
	for _, c := range catalogue() {
		for _, r := range c.Rows {
			for _, one := range append([]Row{r}, r.Parts...) {
				by[Request{c.ID, one}.Name()] = one
			}
		}
	}
	return by
})

// catalogue has every check by its id, those of generated sequences too.
var catalogue = sync.OnceValue(func() map[string]Check {
	by := map[string]Check{}
	for _, c := range append(All(), Explored, Drawn) {
		by[c.ID] = c
	}
	return by
})

// All returns every check, in the order of the interface.
func All() []Check { return slices.Clone(all) }

var all = slices.Concat(listChecks, createChecks, getChecks, authChecks, otherChecks)

// IDs returns the id of every check, in the same order.
func IDs() (ids []string) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

// Find returns the check with an id.
func Find(id string) (Check, bool) {
	c, ok := catalogue()[id]
	return c, ok && id != Explored.ID
}

// RowOf returns the row that an exchange was sent for.
func RowOf(check, step string) (Row, bool) {
	c, ok := catalogue()[check]
	switch {
	case !ok:
		return Row{}, false
	case check == Explored.ID:
		return rowOfSequence(step)
	}
	return c.Row(step)
}
