package model

import (
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// look is a read that owes an animal.
type look struct {
	Lack
	shows bool // does not lack it
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
	looks, old, kinds := map[string][]look{}, []Lack{}, map[Kind]bool{}
	for _, x := range s.history.All {
		for id, since := range s.Owes(x) {
			l := look{s.lack(x, id, since), shows(x, id)}
			looks[id] = append(looks[id], l)
			if !l.shows && s.Old(l.Lack) {
				kinds[KindOf(x)] = true
				old = append(old, l.Lack)
			}
		}
	}
	sortLacks(old)
	lowDefault := kinds[WithoutLimit] && !kinds[WithLimit]
	for _, l := range old {
		id, kind := spec.ID("LIST-11"), KindOf(l.Read)
		_, limited := l.Read.Asked("limit")
		switch {
		case s.gone(l, looks[l.ID]):
			id = "CREATE-13"
		case kind == Fetch:
			id = "GET-1"
		case kind == Filtered && (!limited && lowDefault || !s.listedAs(l)):
			continue // a default limit that is too low is LIST-5; a status that the service keeps otherwise is a changed value
		case kind == Filtered:
			id = "LIST-8"
		case kind == WithoutLimit && lowDefault:
			id = "LIST-5"
		}
		all = append(all, s.missing(id, l, looks[l.ID]))
	}
	return all
}

// gone reports whether an animal of the run is in no read any more: getPet and a listing lack it, and no later read
// shows it.
func (s *Store) gone(l Lack, all []look) bool {
	lacking := map[bool]bool{}
	for _, k := range all {
		if k.shows && !k.Read.Sent.Before(l.Read.Ended()) {
			return false
		}
		if !k.shows && s.Old(k.Lack) {
			lacking[KindOf(k.Read) == Fetch] = true
		}
	}
	return l.Ours && lacking[true] && lacking[false]
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
func (s *Store) missing(id spec.ID, l Lack, all []look) verdict.Finding {
	x := l.Read
	f := verdict.Finding{Requirement: id, Exchange: x.N, Message: x.Request.Method + " " + x.Request.Path,
		Expected: fmt.Sprintf("animal %s, which %s %s before", l.ID, s.origin(l.ID), about(l.Age())),
		Actual:   fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt()), Often: often(l, all)}
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
func often(l Lack, all []look) string {
	lacking, such := 0, 0
	for _, k := range all {
		if KindOf(k.Read) == KindOf(l.Read) {
			if such++; !k.shows {
				lacking++
			}
		}
	}
	if lacking == such {
		return ""
	}
	return fmt.Sprintf("%d of %d such requests", lacking, such)
}

// about rounds a time for a reader.
func about(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Second)
}
