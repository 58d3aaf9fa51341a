package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
)

// Unlisted returns the ids to ask getPet for, where no listing has room for the whole store: those between the run's
// own animals, and the next after them. It returns none where ids do not count up, or where there are more than most: to
// ask for a part of them would not show that a refused request left nothing.
func (s *Store) Unlisted(most int) []string {
	for _, x := range slices.Backward(s.history.All) {
		if s.hasAll(x) {
			return nil
		} else if x.Operation == spec.CreatePet {
			break
		}
	}
	if near := s.neighbours(math.MaxInt); len(near) <= most {
		return near
	}
	return nil
}

// neighbours are the ids beside those of all animals that were created before the request with a number, if these count
// up.
func (s *Store) neighbours(before int) []string {
	if n := s.numbers(before); n.all {
		return slices.Concat(n.between, n.beyond)
	}
	return nil
}

// hasAll reports whether a listing shows the whole store, or else every animal that the run had created by then: a page
// that begins with the newest animals would show one that a refused request left.
func (s *Store) hasAll(x history.Exchange) bool {
	_, filter, plain := x.Listing()
	if x.Len() < 0 || !plain || filter != "" || !x.Auth.Valid() {
		return false
	}
	shown := 0
	for id, c := range s.own {
		if c.Exchange.Ended().After(x.Sent) {
			continue
		}
		if shown++; !shows(x, id) {
			return x.HasRoom()
		}
	}
	return shown > 0 || x.HasRoom()
}

// Searched says how the run looked for what refused requests may have left, or why it could not. It says nothing of
// requests that were refused after the run had looked.
func (s *Store) Searched() (how, whyNot string) {
	refused, filters, fetched := 0, map[spec.PetStatus]bool{}, map[string]bool{}
	looked := func(where string) { how = spec.Count(refused, "refused request") + where }
	for _, x := range s.history.All {
		_, status, plain := x.Listing()
		switch {
		case x.Operation == spec.CreatePet:
			if rejected(x) {
				refused++
				clear(filters)
				clear(fetched)
			}
		case refused == 0 || !x.Auth.Valid():
		case s.hasAll(x):
			looked(", none of their names in a listing of the whole store")
		case plain && status != "" && x.HasRoom():
			if filters[status] = true; len(filters) == len(spec.Statuses()) {
				looked(", none of their names in the listings of each status")
			}
		case x.Operation == spec.GetPet && x.Answered():
			fetched[x.PetID()] = true
			near := s.neighbours(x.N)
			if len(near) > 0 && !slices.ContainsFunc(near, func(id string) bool { return !fetched[id] }) {
				looked(fmt.Sprintf("; ids count up, and no animal of theirs has one of the %s next to the run's own", spec.Count(len(near), "id")))
			}
		}
	}
	switch {
	case refused == 0:
		return "", "no createPet was refused"
	case how == "":
		return "", "no listing has room for the whole store, and the ids next to the run's own animals are too many to ask for each, or do not count up"
	}
	return how, ""
}

const (
	// widestGap is the largest difference of two neighbouring ids of the run between which all are looked for. Beyond it,
	// ids are random, or other clients create too much.
	widestGap = 48
	// beyondLast is how many ids beyond the last one are looked at.
	beyondLast = 2
)

// numbers are the ids beside those of the run's animals, where these are numbers.
type numbers struct {
	// between are the ids between two of the run that are no further apart than widestGap, and beyond the next ones.
	between, beyond []string
	// count says that ids grow or fall with time. Of two creations that overlap, either may get the smaller id.
	count bool
	// all says that ids grow, and that none between the smallest and the largest is left out.
	all bool
}

// numbers are those of the animals that were created before the request with a number.
func (s *Store) numbers(before int) (n numbers) {
	ids, of, up, down, all := []int64{}, []history.Exchange{}, true, true, true
	for _, c := range s.history.Created() {
		id, err := strconv.ParseInt(c.Answered.ID, 10, 64)
		if c.Exchange.N >= before {
			break
		} else if err != nil {
			all = false
			continue
		}
		for i, earlier := range ids {
			if of[i].Ended().Before(c.Exchange.Sent) {
				up, down = up && earlier <= id, down && earlier >= id
			}
		}
		ids, of = append(ids, id), append(of, c.Exchange)
	}
	if len(ids) == 0 {
		return n
	}
	slices.Sort(ids)
	n.count, n.all = up || down, up && all && ids[0] > 0
	for i, id := range ids[1:] {
		if gap := id - ids[i]; gap < 0 || gap > widestGap {
			n.all = false
			continue
		}
		for id := ids[i] + 1; id < ids[i+1]; id++ {
			n.between = append(n.between, strconv.FormatInt(id, 10))
		}
	}
	for i := range int64(beyondLast) {
		n.beyond = append(n.beyond, strconv.FormatInt(ids[len(ids)-1]+1+i, 10))
	}
	return n
}
