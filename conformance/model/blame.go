package model

import (
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// evidence is what reads showed of one animal.
type evidence struct {
	lacked  []Lack // by reads of any age
	shownAt []history.Exchange
}

// Missing says which requirements the reads break that lack animals older than the patience. The first of these rows
// that fits a lack is blamed for it:
//
//	no read shows the animal any more                              CREATE-13
//	the read is a getPet                                           GET-1
//	the read is a filtered listing                                 LIST-8
//	the read has no limit, and no listing with a limit lacks any   LIST-5
//	otherwise                                                      LIST-11
func (s *Store) Missing() (all []verdict.Finding) {
	byAnimal, old, kinds := map[string]*evidence{}, []Lack{}, map[Kind]bool{}
	of := func(id string) *evidence {
		if byAnimal[id] == nil {
			byAnimal[id] = &evidence{}
		}
		return byAnimal[id]
	}
	for _, x := range s.history.All {
		for id, since := range s.Owes(x) {
			if shows(x, id) {
				of(id).shownAt = append(of(id).shownAt, x)
				continue
			}
			l := s.lack(x, id, since)
			of(id).lacked = append(of(id).lacked, l)
			if s.Old(l) {
				kinds[KindOf(x)] = true
				old = append(old, l)
			}
		}
	}
	sortLacks(old)
	lowDefault := kinds[Unlimited] && !kinds[Limited]
	for _, l := range old {
		id, kind := spec.ID("LIST-11"), KindOf(l.Read)
		_, limited := l.Read.Asked("limit")
		switch seen := byAnimal[l.ID]; {
		case s.gone(l, seen):
			id = "CREATE-13"
		case kind == Fetch:
			id = "GET-1"
		case kind == Filtered && (!limited && lowDefault || !s.listedAs(l)):
			continue // a default limit that is too low is LIST-5; a status that the service keeps otherwise is a changed value
		case kind == Filtered:
			id = "LIST-8"
		case kind == Unlimited && lowDefault:
			id = "LIST-5"
		}
		all = append(all, s.missing(id, l, byAnimal[l.ID]))
	}
	return all
}

// gone reports whether an animal of the run is in no read any more: getPet and a listing lack it, and no later read
// shows it.
func (s *Store) gone(l Lack, seen *evidence) bool {
	if !l.Ours {
		return false
	}
	lacking := map[bool]bool{}
	for _, k := range seen.lacked {
		if s.Old(k) {
			lacking[KindOf(k.Read) == Fetch] = true
		}
	}
	for _, x := range seen.shownAt {
		if !x.Sent.Before(l.Read.Ended()) {
			return false
		}
	}
	return lacking[true] && lacking[false]
}

// listedAs reports whether reads without a filter show an animal with the status that a filtered listing asked for, and
// with no other.
func (s *Store) listedAs(l Lack) (is bool) {
	_, status, _ := l.Read.Listing()
	for _, x := range s.history.All {
		if _, filtered := x.Asked("status"); filtered || x.Operation == spec.CreatePet {
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
func (s *Store) missing(id spec.ID, l Lack, seen *evidence) verdict.Finding {
	x := l.Read
	f := verdict.Finding{Requirement: id, Exchange: x.N, Message: x.Request.Method + " " + x.Request.Path,
		Expected: fmt.Sprintf("animal %s, which %s %s before", l.ID, s.origin(l.ID), about(l.Age())),
		Actual:   fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt()), Often: often(l, seen)}
	if x.Operation == spec.ListPets {
		limit, _, _ := x.Listing()
		f.Expected = spec.Count(min(limit, len(s.Owes(x))), "animal") + ", among them " + f.Expected
		f.Actual = spec.Count(x.Len(), "animal") + " without it"
	}
	f.Cases = []verdict.Case{{Name: x.Step, Sender: x.Check, Operation: x.Operation, Actual: f.Actual, Exchanges: []int{x.N}}}
	if x.Operation == spec.GetPet {
		f.Cases[0].Status, f.Cases[0].Wanted = x.Status(), []int{http.StatusOK}
	}
	return f
}

func (s *Store) origin(id string) string {
	if c, ours := s.own[id]; ours {
		return fmt.Sprintf("exchange %d created", c.Exchange.N)
	}
	return "a response showed"
}

// often says of how many such reads the animal is missing, if not of all: those of the same kind that owed it.
func often(l Lack, seen *evidence) string {
	lacking, all := 0, 0
	for _, k := range seen.lacked {
		if KindOf(k.Read) == KindOf(l.Read) {
			lacking, all = lacking+1, all+1
		}
	}
	for _, x := range seen.shownAt {
		if KindOf(x) == KindOf(l.Read) {
			all++
		}
	}
	if lacking == all {
		return ""
	}
	return fmt.Sprintf("%d of %d such requests", lacking, all)
}

// about rounds a time for a reader.
func about(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Second)
}
