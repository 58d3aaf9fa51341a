// Package model is the one model of a service's store: what each read of a run owes, whom to blame for what is missing,
// and which animals should not be there. It reads a history, whatever sent its requests, and sends nothing.
package model

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Store is what a run knows of the service's store. The animals that the run created stay, since the interface has no
// delete. Those of other clients are there from the first read that showed them to the last.
type Store struct {
	history *history.History
	own     map[string]history.Creation
	others  map[string]*stay
	// given are the ids that the run's creations got.
	given map[string]bool
	// trusting says that another client's animal is owed after a read has shown it, too. A run that decides what to ask
	// again asks for such an animal; a judge does not, since its client may have deleted it.
	trusting bool
}

// stay is when reads showed an animal of another client.
type stay struct {
	first, last time.Time // the end of the first read that showed it, and the beginning of the last
	status      spec.PetStatus
	changed     bool // reads showed it with different statuses
}

// Of returns the model of the store that a history shows.
func Of(h *history.History) *Store {
	s := &Store{history: h, own: map[string]history.Creation{}, others: map[string]*stay{}, given: map[string]bool{}}
	for _, c := range h.Created() {
		s.given[c.Answered.ID] = true
	}
	for _, c := range h.Owed() {
		s.own[c.Answered.ID] = c
	}
	delete(s.own, "")
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			status, _ := p.Status()
			switch o := s.others[p.ID]; {
			case p.ID == "" || s.given[p.ID] || x.Operation == spec.GetPet && p.ID != x.PetID(): // GET-2 says that getPet shows another one
			case o == nil:
				s.others[p.ID] = &stay{first: x.Ended(), last: x.Sent, status: status}
			default:
				o.last, o.changed = x.Sent, o.changed || o.status != status
			}
		}
	}
	return s
}

// Trusting is the store for a run that decides what to ask again.
func Trusting(h *history.History) *Store {
	s := Of(h)
	s.trusting = true
	return s
}

// Kind tells reads apart that different code, indexes or replicas of a service may answer.
type Kind int

// The kinds of read.
const (
	None         Kind = iota // no read of animals
	Fetch                    // getPet
	Filtered                 // a listing with a status
	WithoutLimit             // a listing without a limit
	WithLimit                // a listing with a limit
)

// proves are the requirements that a kind of read proves: it shows the animals that it owes.
var proves = []spec.ID{None: "", Fetch: "GET-1", Filtered: "LIST-8", WithoutLimit: "LIST-5", WithLimit: "LIST-11"}

// Proving returns the kind of read that proves a requirement.
func Proving(id spec.ID) Kind { return max(None, Kind(slices.Index(proves, id))) }

// KindOf is the kind of a read.
func KindOf(x history.Exchange) Kind {
	_, limited := x.Asked("limit")
	_, filtered := x.Asked("status")
	switch {
	case x.Operation == spec.GetPet:
		return Fetch
	case x.Operation != spec.ListPets:
		return None
	case filtered:
		return Filtered
	case !limited:
		return WithoutLimit
	}
	return WithLimit
}

// Lack is an animal that a read owes and does not show.
type Lack struct {
	Read history.Exchange
	ID   string
	// Since is when a response first showed the animal.
	Since time.Time
	// Ours says that the run created the animal. Another client may have deleted its own.
	Ours bool
}

// Age is how old the animal was when the read was sent.
func (l Lack) Age() time.Duration { return l.Read.Sent.Sub(l.Since) }

// Old reports whether no lagging replica explains a lack: the animal is older than the patience of the run. Another
// client's animal may have been deleted, and a lagging replica shows it for the patience after that. So it was surely
// there only if a read that was sent the patience after the lack shows it again.
func (s *Store) Old(l Lack) bool {
	patience := s.history.Meta.Patience
	return l.Age() >= patience && (l.Ours || s.others[l.ID].last.Sub(l.Read.Ended()) >= patience)
}

// Owes returns the animals that a read has to show, however young they are, with the time since when. A listing owes
// all animals with its status if it has room for more than it shows. A getPet owes the animal that it asks for.
func (s *Store) Owes(x history.Exchange) map[string]time.Time {
	if !x.Auth.Valid() || !x.Answered() {
		return nil
	}
	asked, fetched := x.PetID(), x.Operation == spec.GetPet
	_, filter, _ := x.Listing()
	_, err := strconv.ParseInt(asked, 10, 64) // an id beyond int64 may be refused for that
	if fetched && (err != nil || x.Status() != 404 && x.Status() != 200) || !fetched && (!x.HasRoom() || anonymous(x)) {
		return nil
	}
	asks := func(id string, status spec.PetStatus) bool {
		return fetched && id == asked || !fetched && (filter == "" || filter == status)
	}
	owed := map[string]time.Time{}
	for id, c := range s.own {
		status, _ := c.Answered.Status()
		if !c.Exchange.Ended().After(x.Sent) && asks(id, status) {
			owed[id] = c.Exchange.Ended()
		}
	}
	for id, o := range s.others {
		there := !o.first.After(x.Sent) && (!o.last.Before(x.Ended()) || s.trusting) && !o.changed
		if there && asks(id, o.status) {
			owed[id] = o.first
		}
	}
	return owed
}

// shows reports whether a listing has an animal, or getPet found it. What getPet's 200 shows is the rule
// fetched-is-the-pet's.
func shows(x history.Exchange, id string) bool {
	if x.Operation == spec.GetPet {
		return x.PetID() == id && x.Status() != 404
	}
	pets, _ := x.Pets()
	return slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == id })
}

// anonymous reports whether a listing has elements whose id can't be read: any of them may be the one that is missing.
func anonymous(x history.Exchange) bool {
	pets, _ := x.Pets()
	return len(pets) < x.Len() || slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == "" })
}

// looks returns the animals that a read owes, the oldest first: those that it shows, and those that it lacks.
func (s *Store) looks(x history.Exchange) (shown, lacks []Lack) {
	for id, since := range s.Owes(x) {
		if l := (Lack{x, id, since, s.others[id] == nil}); shows(x, id) {
			shown = append(shown, l)
		} else {
			lacks = append(lacks, l)
		}
	}
	slices.SortFunc(lacks, func(a, b Lack) int { return cmp.Or(a.Since.Compare(b.Since), len(a.ID)-len(b.ID)) })
	return shown, lacks
}

// Lacks returns the animals that a read owes and does not show, the oldest first.
func (s *Store) Lacks(x history.Exchange) []Lack {
	_, lacks := s.looks(x)
	return lacks
}

// Missing says which requirements the reads break that lack animals older than the patience: that of the kind of read
// (see proves), but for
//
//	CREATE-13  if no read shows the animal any more
//	LIST-11    if the read has no limit, and listings with a limit lack animals too
func (s *Store) Missing() (all []verdict.Finding) {
	shown, lacking, old, kinds := map[string][]Lack{}, map[string][]Lack{}, []Lack{}, map[Kind]bool{}
	for _, x := range s.history.All {
		in, lacks := s.looks(x)
		for _, l := range in {
			shown[l.ID] = append(shown[l.ID], l)
		}
		for _, l := range lacks {
			if lacking[l.ID] = append(lacking[l.ID], l); s.Old(l) {
				old, kinds[KindOf(x)] = append(old, l), true
			}
		}
	}
	lowDefault := kinds[WithoutLimit] && !kinds[WithLimit]
	for _, l := range old {
		kind := KindOf(l.Read)
		id := proves[kind]
		_, limited := l.Read.Asked("limit")
		switch {
		case s.gone(l, shown[l.ID], lacking[l.ID]):
			id = "CREATE-13"
		case kind == Filtered && (!limited && lowDefault || !s.listedAs(l)):
			continue // a default limit that is too low is LIST-5; a status that the service keeps otherwise is a changed value
		case kind == WithoutLimit && !lowDefault:
			id = "LIST-11"
		}
		f := s.missing(id, l)
		such := func(k Lack) bool { return KindOf(k.Read) != kind }
		n, of := len(slices.DeleteFunc(slices.Clone(lacking[l.ID]), such)), len(slices.DeleteFunc(slices.Clone(shown[l.ID]), such))
		if of > 0 {
			f.Often = fmt.Sprintf("%d of %d such requests", n, n+of)
		}
		all = append(all, f)
	}
	return all
}

// gone reports whether an animal of the run is in no read any more: getPet and a listing lack it, and no later read
// shows it.
func (s *Store) gone(l Lack, shown, lacking []Lack) bool {
	later := func(k Lack) bool { return !k.Read.Sent.Before(l.Read.Ended()) }
	old := func(fetched bool) bool {
		return slices.ContainsFunc(lacking, func(k Lack) bool { return (KindOf(k.Read) == Fetch) == fetched && s.Old(k) })
	}
	return l.Ours && !slices.ContainsFunc(shown, later) && old(true) && old(false)
}

// listedAs reports whether reads without a filter show an animal with the status that a filtered listing asked for, and
// with no other.
func (s *Store) listedAs(l Lack) (is bool) {
	_, status, _ := l.Read.Listing()
	for _, x := range s.history.All {
		if kind := KindOf(x); kind == Filtered || kind == None {
			continue
		}
		for _, p := range x.Shown() {
			if got, _ := p.Status(); p.ID == l.ID {
				if got != status {
					return false
				}
				is = true
			}
		}
	}
	return is
}

// missing makes the finding of one lack.
func (s *Store) missing(id spec.ID, l Lack) verdict.Finding {
	x, origin, age := l.Read, "a response showed", l.Age().Round(10*time.Millisecond)
	if l.Ours {
		origin = fmt.Sprintf("exchange %d created", s.own[l.ID].Exchange.N)
	}
	if age > 10*time.Second {
		age = age.Round(time.Second)
	}
	f := verdict.Finding{Requirement: id, Exchange: x.N, Message: x.Request.Method + " " + x.Request.Path,
		Expected: fmt.Sprintf("animal %s, which %s %s before", l.ID, origin, age), Actual: fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt())}
	c := verdict.Case{Name: x.Step, Sender: x.Check, Operation: x.Operation, Exchanges: []int{x.N}}
	if x.Operation == spec.GetPet {
		c.Status, c.Wanted = x.Status(), []int{http.StatusOK}
	} else {
		limit, _, _ := x.Listing()
		f.Expected = spec.Count(min(limit, len(s.Owes(x))), "animal") + ", among them " + f.Expected
		f.Actual = spec.Count(x.Len(), "animal") + " without it"
	}
	c.Actual = f.Actual
	f.Cases = []verdict.Case{c}
	return f
}
