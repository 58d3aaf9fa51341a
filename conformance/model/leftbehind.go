package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// LeftBehind finds the animals that refused requests created all the same: CREATE-12, or AUTH-6 if it was refused for
// its key. Each refused request had a name of its own, or none.
func (s *Store) LeftBehind() (all []verdict.Finding) {
	refused, reported := s.refused(), map[string]bool{}
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			by, is := s.leftBy(p, x, refused)
			if !is || reported[p.ID] {
				continue
			}
			reported[p.ID] = true
			id := spec.ID("CREATE-12")
			if by.Status() == http.StatusUnauthorized {
				id = "AUTH-6"
			}
			f := verdict.Finding{Requirement: id, Exchange: x.N,
				Message:  fmt.Sprintf("what createPet in exchange %d (%s) left behind, although it returned %d", by.N, by.Step, by.Status()),
				Expected: "no animal", Actual: fmt.Sprintf("animal %s, %q", p.ID, p.Name())}
			f.Cases = []verdict.Case{{Name: by.Step, Sender: by.Check, Operation: spec.CreatePet, Actual: f.Actual, Exchanges: []int{x.N}, After: []int{by.N}}}
			all = append(all, f)
		}
	}
	return all
}

// refused returns the createPet requests that were refused, by the name that each sent. A name that another request was
// rightly accepted with is left out.
func (s *Store) refused() map[string]history.Exchange {
	by := map[string]history.Exchange{}
	for _, x := range s.history.All {
		if name := ownName(x); x.Operation == spec.CreatePet && x.Answered() && x.Status()/100 == 4 && name != "" {
			by[name] = x
		}
	}
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet && x.Status()/100 != 4 {
			delete(by, x.SentName())
		}
	}
	return by
}

// leftBy returns the refused request that an animal is of, if it is of one.
func (s *Store) leftBy(p history.Pet, seen history.Exchange, refused map[string]history.Exchange) (history.Exchange, bool) {
	if s.given[p.ID] || seen.Operation == spec.GetPet && s.given[seen.PetID()] { // whatever its name or its id is by now
		return history.Exchange{}, false
	}
	if by, ok := refused[p.Name()]; ok {
		return by, by.N < seen.N
	}
	if !nameless(p) || !s.isNew(p, seen) || s.ofAnother(p) {
		return history.Exchange{}, false
	}
	i := slices.IndexFunc(s.history.All, func(x history.Exchange) bool {
		return x.Operation == spec.CreatePet && x.Answered() && x.Status()/100 == 4 && x.Status() != 401 && x.N < seen.N && ownName(x) == ""
	})
	if i < 0 {
		return history.Exchange{}, false
	}
	return s.history.All[i], true
}

// nameless reports whether a service made the name of an animal of a body without one, or of 42 or null.
func nameless(p history.Pet) bool {
	return slices.Contains([]string{"", "42", "null", "None", "undefined", "<nil>"}, p.Name())
}

// isNew reports whether an animal was certainly created during the run: the store was empty at first, or its id is
// between those of the run's own animals, where ids count up or down. Any other may be another client's.
func (s *Store) isNew(p history.Pet, seen history.Exchange) bool {
	for _, x := range s.history.All {
		if _, listed := x.Pets(); listed {
			if x.Len() == 0 && x.HasRoom() && x.N < seen.N && KindOf(x) == Unlimited {
				return p.ID != ""
			}
			break
		}
	}
	n := s.numbers()
	between, _ := n.between(mostBetween)
	return slices.Contains(between, p.ID) && (n.up || n.down)
}

// ofAnother reports whether an animal may be of a request that was not refused: one whose response showed no id, or a
// creation that was carried out twice.
func (s *Store) ofAnother(p history.Pet) bool {
	for _, x := range s.history.All {
		if a, ok := x.Pet(); x.Operation == spec.CreatePet && x.Status()/100 != 4 && (!ok || a.ID == "") && x.SentName() == p.Name() {
			return true
		}
	}
	return slices.ContainsFunc(s.history.Created(), func(c history.Creation) bool {
		return len(c.Answered.Differences(p)) == 0 || len(c.Sent.Differences(p)) == 0
	})
}

// ownName finds the run's own name in a request's body, also in one that is not JSON.
func ownName(x history.Exchange) (name string) {
	body := string(x.Request.Body)
	if at := strings.Index(body, `"petconform-`); at >= 0 {
		_ = json.NewDecoder(strings.NewReader(body[at:])).Decode(&name) // "" if the string does not end
	}
	return name
}
