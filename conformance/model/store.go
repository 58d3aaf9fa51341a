// Package model is the one model of a service's store: what each read of a run owes, whom to blame for what is missing,
// and which animals should not be there. It reads a history, whatever sent its requests, and sends nothing.
package model

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"petconform/spec"
	"petconform/spec/history"
)

// Store is what a run knows of the service's store. The animals that the run created stay, since the interface has no
// delete. Those of other clients are there from one sighting to the next.
type Store struct {
	history *history.History
	own     map[string]history.Creation
	others  map[string]*sighting
	// given are the ids that the run's creations got.
	given map[string]bool
	// trusting says that another client's animal is owed after a read has shown it, too. A run that decides what to ask
	// again asks for such an animal; a judge does not, since its client may have deleted it.
	trusting bool
}

// sighting is when reads showed an animal of another client.
type sighting struct {
	first, last time.Time // the end of the first read that showed it, and the beginning of the last
	status      spec.PetStatus
	changed     bool // reads showed it with different statuses
}

// Of returns the model of the store that a history shows.
func Of(h *history.History) *Store {
	s := &Store{history: h, own: map[string]history.Creation{}, others: map[string]*sighting{}, given: map[string]bool{}}
	for _, c := range h.Created() {
		s.given[c.Answered.ID] = true
	}
	for _, c := range h.Owed() {
		if c.Answered.ID != "" {
			s.own[c.Answered.ID] = c
		}
	}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			if p.ID != "" && !s.given[p.ID] {
				s.see(p, x)
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

func (s *Store) see(p history.Pet, x history.Exchange) {
	status, _ := p.Status()
	if o := s.others[p.ID]; o != nil {
		o.last, o.changed = x.Sent, o.changed || o.status != status
		return
	}
	s.others[p.ID] = &sighting{first: x.Ended(), last: x.Sent, status: status}
}

// Kind tells reads apart that different code, indexes or replicas of a service may answer.
type Kind int

// The kinds of read.
const (
	Fetch        Kind = iota // getPet
	Filtered                 // a listing with a status
	WithoutLimit             // a listing without a limit
	WithLimit                // a listing with a limit
)

// KindOf is the kind of a read.
func KindOf(x history.Exchange) Kind {
	_, limited := x.Asked("limit")
	_, filtered := x.Asked("status")
	switch {
	case x.Operation == spec.GetPet:
		return Fetch
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
	asked, filter := x.PetID(), spec.PetStatus("")
	switch x.Operation {
	case spec.GetPet:
		// An id beyond int64 may be refused for that.
		if _, err := strconv.ParseInt(asked, 10, 64); err != nil || x.Status() != 404 && x.Status() != 200 {
			return nil
		}
	case spec.ListPets:
		if _, filter, _ = x.Listing(); !x.HasRoom() || anonymous(x) {
			return nil
		}
	default:
		return nil
	}
	asks := func(id string, status spec.PetStatus) bool {
		return x.Operation == spec.GetPet && id == asked || x.Operation == spec.ListPets && (filter == "" || filter == status)
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

// Lacks returns the animals that a read owes and does not show, the oldest first.
func (s *Store) Lacks(x history.Exchange) (all []Lack) {
	for id, since := range s.Owes(x) {
		if !shows(x, id) {
			all = append(all, s.lack(x, id, since))
		}
	}
	sortLacks(all)
	return all
}

func (s *Store) lack(x history.Exchange, id string, since time.Time) Lack {
	return Lack{x, id, since, s.others[id] == nil}
}

// sortLacks puts the reads in order, and of each read the oldest animal first.
func sortLacks(all []Lack) {
	slices.SortFunc(all, func(a, b Lack) int {
		return cmp.Or(cmp.Compare(a.Read.N, b.Read.N), a.Since.Compare(b.Since), len(a.ID)-len(b.ID))
	})
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
