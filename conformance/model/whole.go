package model

import (
	"fmt"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
)

// Unlisted returns the ids to ask getPet for, where no listing has room for the whole store: those between the run's
// own animals, and the next after them. It returns none where ids do not count up, or where there are more than most: to
// ask for a part of them would not show that a refused request left nothing.
func (s *Store) Unlisted(most int) []string {
	last := 0
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet {
			last = x.N
		}
	}
	if slices.ContainsFunc(s.history.All, func(x history.Exchange) bool { return x.N > last && s.hasAll(x) }) {
		return nil
	}
	return s.neighbours(most)
}

func (s *Store) neighbours(most int) []string {
	n := s.numbers()
	between, all := n.between(most)
	if !n.up || !n.all || !all || len(n.ids) == 0 || n.ids[0] <= 0 || len(between)+beyondLast > most {
		return nil
	}
	for i := range int64(beyondLast) {
		between = append(between, strconv.FormatInt(n.ids[len(n.ids)-1]+1+i, 10))
	}
	return between
}

// hasAll reports whether a listing shows the whole store, or else every animal that the run had created by then.
func (s *Store) hasAll(x history.Exchange) bool {
	_, filter, plain := x.Listing()
	return x.Len() >= 0 && plain && filter == "" && x.Auth.Valid() && (x.HasRoom() || s.newestShown(x))
}

// newestShown reports whether a page shows every animal that the run had created by then. A page that begins with the
// newest animals would show one that a refused request left.
func (s *Store) newestShown(x history.Exchange) bool {
	n := 0
	for id, c := range s.own {
		if c.Exchange.Ended().After(x.Sent) {
			continue
		}
		if n++; !shows(x, id) {
			return false
		}
	}
	return n > 0
}

// Searched says how the run looked for what refused requests may have left, or why it could not. It says nothing of
// requests that were refused after the run had looked.
func (s *Store) Searched() (how, whyNot string) {
	all := s.history.All
	for end := len(all); end > 0; {
		looked := s
		if end < len(all) {
			looked = Of(history.From(s.history.Meta, nil, all[:end]))
		}
		how, why := looked.searched()
		if whyNot == "" {
			whyNot = why
		}
		if why == "" {
			return how, ""
		}
		for end--; end > 0 && all[end].Operation != spec.CreatePet; end-- {
		}
		for ; end > 0 && all[end-1].Operation == spec.CreatePet; end-- { // what comes before the last createPets
		}
	}
	return "", whyNot
}

func (s *Store) searched() (how, whyNot string) {
	last, refused := 0, 0
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet && x.Answered() && x.Status()/100 == 4 {
			last, refused = x.N, refused+1
		}
	}
	if refused == 0 {
		return "", "no createPet was refused"
	}
	filtered := map[spec.PetStatus]bool{}
	for _, x := range s.history.All {
		if x.N < last || !x.Auth.Valid() {
			continue
		}
		if s.hasAll(x) {
			return fmt.Sprintf("%s, none of their names in a listing of the whole store", spec.Count(refused, "refused request")), ""
		}
		if _, status, plain := x.Listing(); plain && status != "" && x.HasRoom() {
			filtered[status] = true
		}
	}
	if len(filtered) == len(spec.Statuses()) {
		return fmt.Sprintf("%s, none of their names in the listings of each status", spec.Count(refused, "refused request")), ""
	}
	ids := s.neighbours(mostBetween + beyondLast)
	for _, id := range ids {
		if !slices.ContainsFunc(s.history.All, func(x history.Exchange) bool {
			return x.Operation == spec.GetPet && x.PetID() == id && x.Auth.Valid() && x.Answered() && x.N > last
		}) {
			ids = nil
			break
		}
	}
	if len(ids) > 0 {
		return fmt.Sprintf("%s; ids count up, and no animal of theirs has one of the %s next to the run's own",
			spec.Count(refused, "refused request"), spec.Count(len(ids), "id")), ""
	}
	return "", "no listing has room for the whole store, and the ids next to the run's own animals are too many to ask for each, or do not count up"
}
