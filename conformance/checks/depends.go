package checks

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// To reproduce a finding, a run needs the check that sent its exchange and the checks that it depends on: the one that
// created the animal, one that sent the same request before, or the one that filled the store.

// AddDependencies adds to the cases of all findings the checks that they depend on, and the flag that another run needs
// to send their request.
func AddDependencies(h *history.History, all []verdict.Check) {
	copies := titleCopies(h, all)
	titleRenumbered(h, all)
	var d *dependence
	for _, c := range all {
		for n, f := range c.Findings {
			if !ofCopies(f, copies) { // else the order of the listings decides
				f.Often = often(h, f)
				c.Findings[n].Often = f.Often
			}
			for i := range f.Cases {
				if d == nil {
					d = newDependence(h)
					d.copies = copies
				}
				d.complete(&f.Cases[i], f, c)
			}
		}
	}
}

// dependence knows which checks an exchange depends on.
type dependence struct {
	h  *history.History
	at map[int]int // the place of an exchange by its number
	// creators has the creations of the run's animals, by the animal's id.
	creators map[string]history.Creation
	// refused has the refused createPet requests, by the name that each carried.
	refused map[string]history.Exchange
	copies  map[int]history.Exchange // the listings that a cache answered, each with the one whose answer that was
	varied  map[string]check.Check
}

func newDependence(h *history.History) *dependence {
	d := &dependence{h, map[int]int{}, map[string]history.Creation{}, RefusedCreates(h), nil, map[string]check.Check{}}
	for i, x := range h.All {
		d.at[x.N] = i
	}
	for _, c := range h.Created() {
		d.creators[c.Answered.ID] = c
	}
	for _, c := range All() {
		if c.Deeper > 0 {
			d.varied[c.ID] = c
		}
	}
	return d
}

func (d *dependence) complete(c *verdict.Case, f verdict.Finding, by verdict.Check) {
	if len(c.Exchanges) == 0 {
		return
	}
	i, known := d.at[c.Exchanges[0]]
	if !known {
		return
	}
	x := d.h.All[i]
	whole := strings.HasPrefix(x.Step, steadyStep) || x.Check == check.Explore // the sequences follow from what the run sent before
	whole = whole || strings.HasPrefix(x.Step, turnsStep)                      // another run may reach other places
	whole = whole || d.copies[x.N].N > 0                                       // which listing the cache has kept depends on the order of all
	whole = whole || by.ID == "created-is-kept" && d.shownRightLater(x, f.Requirement)
	whole = whole || d.h.Meta.Deep && x.Check == limitBetween.ID && f.Requirement == "LIST-11" // a later listing has to be longer
	if whole || d.nowAndThen(f, by) || f.Often != "" {
		c.Sender, c.Beside, c.With = "", nil, d.with(x) // only the whole run shows it
		if c.With == "" && d.h.Meta.Deep {
			c.With = "--deep"
		}
		return
	}
	add := func(id string) {
		if id != "" && id != x.Check && id != ListAll.ID && !slices.Contains(c.Beside, id) {
			c.Beside = append(c.Beside, id)
		}
	}
	switch x.Operation {
	case spec.GetPet:
		d.ofAnimal(x, add)
	case spec.ListPets:
		d.ofListing(x, f, add)
	case spec.CreatePet:
		for _, y := range d.h.All[:i] {
			if name := x.SentName(); name != "" && y.Operation == spec.CreatePet && y.SentName() == name {
				add(y.Check)
			}
		}
		if own := history.From(d.h.Meta, nil, d.h.Of(x.Check)); f.Requirement == createParallel.Proves && BeyondAccepted(own, x.SentName()) {
			add("create-statuses") // a shorter name and a longer one show that the refusal is not about the length
			add("create-names")
		}
		// Later creations show that a conflict is not a quota, and many creations find a fault that occurs now and
		// then.
		if x.Auth.Valid() && (x.Status() == http.StatusConflict || f.Requirement == createParallel.Proves && x.Status()/100 == 5) {
			add(createFill.ID)
		}
	}
	d.ofSpoiltStore(x, add)
	c.With, c.After = d.with(x), slices.Concat(d.after(x), d.leftBehind(*c, f.Requirement))
}

// after returns the exchanges that created the animals which x is about.
func (d *dependence) after(x history.Exchange) (numbers []int) {
	by := map[string]bool{x.PetID(): x.Operation == spec.GetPet}
	for _, p := range x.Shown() {
		by[p.ID] = by[p.ID] || strange(p, x)
	}
	for id, about := range by {
		if c, known := d.creators[id]; known && about && c.Exchange.N < x.N {
			numbers = append(numbers, c.Exchange.N)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// leftBehind returns the refused requests whose animals a case shows. A case that is not about animals that were left
// behind has them only if nothing else in its responses is strange.
func (d *dependence) leftBehind(c verdict.Case, id spec.ID) (numbers []int) {
	about := slices.Contains(leftBehind.Requirements(), id)
	for _, n := range c.Exchanges {
		x := d.h.All[d.at[n]]
		for _, p := range x.Shown() {
			by, refused := d.refused[p.Name()]
			switch refused = refused && by.Sent.Before(x.Ended()); {
			case refused && (about || strange(p, x)) && !slices.Contains(numbers, by.N):
				numbers = append(numbers, by.N)
			case !refused && !about && strange(p, x):
				return nil
			}
		}
	}
	return numbers
}

// Varies reports whether some runs leave out requests of the check: a quick run, or one with another seed.
func Varies(id string) bool {
	return id == check.Explore || slices.ContainsFunc(All(), func(c check.Check) bool { return c.ID == id && c.Deeper > 0 })
}

// ofAnimal adds the checks that created the animal which x requests, and that requested it before. An id that was
// derived from one of the run's animals needs the checks that created those.
func (d *dependence) ofAnimal(x history.Exchange, add func(string)) {
	if strings.HasPrefix(x.Step, othersStep) {
		return // it was there before the run
	}
	for _, y := range d.h.All {
		switch {
		case y.N >= x.N || y.Operation != spec.GetPet:
		case y.Check == x.Check: // it may have been one too many
			add(d.creators[y.PetID()].Exchange.Check)
		case y.PetID() == x.PetID():
			add(y.Check)
		}
	}
	by := d.creators[x.PetID()].Exchange.Check
	if add(by); by == "" && len(d.h.Created()) > 0 {
		add("create-statuses")
	}
}

// ofListing adds the checks that created the animals of a finding and, for a listing that depends on the content of the
// store, the check that fills it.
func (d *dependence) ofListing(x history.Exchange, f verdict.Finding, add func(string)) {
	for _, y := range d.h.All {
		if y.N < x.N && y.Check != x.Check && y.Request.Path == x.Request.Path && y.Answered() && x.Answered() &&
			bytes.Equal(x.Response.Body, y.Response.Body) {
			add(y.Check) // x may be a copy that was kept since then
		}
	}
	for _, p := range x.Shown() {
		if strange(p, x) || d.differs(p) {
			add(d.creators[p.ID].Exchange.Check)
		}
	}
	switch f.Requirement {
	case "LIST-8": // whether the store has the animal shows in a listing without a filter
		add(createFill.ID)
		add(ListedCreated.ID)
	case "LIST-4", "LIST-9", "LIST-11", "CREATE-13":
		add(createFill.ID)
		if _, filtered := x.Asked("status"); filtered {
			for _, p := range x.Shown() {
				add(d.creators[p.ID].Exchange.Check)
			}
		}
		if x.Check == limitBetween.ID { // an animal that it lacks has to be listed
			add(ListedCreated.ID)
		}
		if x.Check == limitBounds.ID { // it is sent before
			add("create-statuses")
		}
	}
}

// ofSpoiltStore adds the checks of the creations between the last success and the first failure of an operation that
// never succeeded again: what one of them stored may be why.
func (d *dependence) ofSpoiltStore(x history.Exchange, add func(string)) {
	var success, failure history.Exchange
	lasts := false
	for _, y := range d.h.All {
		switch {
		case y.Operation != x.Operation || !y.Auth.Valid() || !y.Answered() || y.Status()/100 == 4:
		case y.Status()/100 == 2:
			success, failure, lasts = y, history.Exchange{}, false
		case failure.N == 0:
			failure = y
		default:
			lasts = true
		}
	}
	if success.N == 0 || !lasts || x.Status()/100 != 5 || x.Sent.Before(success.Sent) {
		return
	}
	for _, y := range d.h.All {
		if y.Operation == spec.CreatePet && y.Auth.Valid() && y.Answered() && y.Status()/100 != 4 &&
			y.Sent.Before(failure.Ended()) && y.Ended().After(success.Sent) {
			add(y.Check)
		}
	}
}

// strange reports whether an animal is what a finding about a listing may be about: it does not match the schema, or
// not the filter.
func strange(p history.Pet, x history.Exchange) bool {
	status, has := p.Status()
	wanted, filtered := x.Asked("status")
	return len(spec.Match("Pet", p.Members)) > 0 || filtered && (!has || string(status) != wanted)
}

// nowAndThen reports whether a finding shows on some requests and not on others like them, so that a part of the run
// may not show it.
func (d *dependence) nowAndThen(f verdict.Finding, by verdict.Check) bool {
	like := func(x history.Exchange) string { return x.Check }
	switch by.ID {
	case "remaining-falls", "remaining-moves", "limit-stands": // they compare all responses of a run
		return true
	case "answered": // when it was sent again
		like = func(x history.Exchange) string { return x.Check + " " + x.Step }
	case "key-accepted":
		like = func(x history.Exchange) string { return string(x.Operation) }
	case "fetched-is-the-pet":
	default:
		return false
	}
	broken, seen := map[int]bool{}, map[string]bool{}
	for _, c := range f.Cases {
		for _, n := range c.Exchanges {
			broken[n], seen[like(d.h.All[d.at[n]])] = true, true
		}
	}
	return slices.ContainsFunc(d.h.All, func(x history.Exchange) bool {
		return !broken[x.N] && x.Answered() && seen[like(x)] && (by.ID == "answered" || x.Auth.Valid())
	})
}

// differs reports whether a response shows an animal of the run otherwise than it was created.
func (d *dependence) differs(p history.Pet) bool {
	c, created := d.creators[p.ID]
	return created && len(c.Sent.Differences(p)) > 0
}

// shownRightLater reports whether x shows an animal of the run otherwise than it was created, and a later read shows it
// right: another replica, say. Where one operation alone shows it otherwise, the read is of the same operation.
func (d *dependence) shownRightLater(x history.Exchange, broken spec.ID) bool {
	wrong := map[string]bool{}
	for _, p := range x.Shown() {
		wrong[p.ID] = d.differs(p)
	}
	return slices.ContainsFunc(d.h.All, func(y history.Exchange) bool {
		right := func(p history.Pet) bool { return wrong[p.ID] && !d.differs(p) }
		return y.N > x.N && (y.Operation == x.Operation || broken == "CREATE-13") && slices.ContainsFunc(y.Shown(), right)
	})
}

// with returns the flag that another run needs to send the request of x.
func (d *dependence) with(x history.Exchange) string {
	c, varies := d.varied[x.Check]
	switch {
	case x.Check == check.Explore && d.h.Meta.Deep:
		return fmt.Sprintf("--deep --seed %d", d.h.Meta.Seed)
	case x.Check == check.Explore: // which leaves up to seven requests unsent
		return fmt.Sprintf("--explore %d --seed %d", (len(d.h.Of(check.Explore))+106)/100*100, d.h.Meta.Seed)
	case varies && d.h.Meta.Deep:
		return "--deep"
	case varies && slices.Contains(c.Varied, x.Step) && d.h.Meta.Seed != check.DefaultSeed:
		return fmt.Sprintf("--seed %d", d.h.Meta.Seed)
	}
	return ""
}
