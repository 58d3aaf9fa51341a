package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/strictjson"
	"petconform/spec/verdict"
)

// LeftBehind finds the animals that refused requests created all the same: CREATE-12, or AUTH-6 if it was refused for
// its key. Each refused request had a name of its own, or none. A run that was killed shows none: its recording lacks the
// requests that were in flight, and one of them may have created the animal.
func (s *Store) LeftBehind() (all []verdict.Finding) {
	if s.history.End == nil {
		return nil
	}
	named, made := s.refused()
	reported := map[string]bool{}
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			if reported[p.ID] || s.given[p.ID] || x.Operation == spec.GetPet && s.given[x.PetID()] { // whatever its name or its id is by now
				continue
			}
			by, is := named[p.Name()]
			if !is {
				by, is = made[p.Name()]
				is = is && s.isNew(p, x) && !s.ofAnother(p)
			}
			if is && by.N < x.N {
				reported[p.ID] = true
				all = append(all, leftBehind(p, by, x))
			}
		}
	}
	return all
}

// leftBehind is the finding of an animal that a read shows, and that a refused request created.
func leftBehind(p history.Pet, by, x history.Exchange) verdict.Finding {
	f := verdict.Finding{Requirement: "CREATE-12", Exchange: x.N,
		Message:  fmt.Sprintf("what createPet in exchange %d (%s) left behind, although it returned %d", by.N, by.Step, by.Status()),
		Expected: "no animal", Actual: fmt.Sprintf("animal %s, %q", p.ID, p.Name())}
	if by.Status() == http.StatusUnauthorized {
		f.Requirement = "AUTH-6"
	}
	f.Cases = []verdict.Case{{Name: by.Step, Sender: by.Check, Operation: spec.CreatePet, Actual: f.Actual, Exchanges: []int{x.N}, After: []int{by.N}}}
	return f
}

// refused returns the createPet requests that were refused, by the name that each sent, without those with whose name
// another request was rightly accepted. made are those without a name of their own, by the names that a service may make
// of one: none, or the text of what the body has instead. The first of each counts.
func (s *Store) refused() (by, made map[string]history.Exchange) {
	by, made = map[string]history.Exchange{}, map[string]history.Exchange{}
	for _, x := range slices.Backward(s.history.All) {
		name := ownName(x)
		switch {
		case !rejected(x):
		case name != "":
			by[name] = x
		case x.Status() != http.StatusUnauthorized:
			sent, _ := x.SentPet()
			text := cmp.Or(string(strictjson.Append(nil, sent.Member("name"))), "null")
			made[""], made[text] = x, x
		}
	}
	for _, x := range s.history.All {
		if x.Operation == spec.CreatePet && x.Status()/100 != 4 {
			delete(by, x.SentName())
		}
	}
	return by, made
}

func rejected(x history.Exchange) bool {
	return x.Operation == spec.CreatePet && x.Answered() && x.Status()/100 == 4
}

// isNew reports whether an animal was certainly created during the run: the store was empty at first, or its id is
// between those of the run's own animals, where ids count up or down. Any other may be another client's.
func (s *Store) isNew(p history.Pet, seen history.Exchange) bool {
	for _, x := range s.history.All {
		if _, listed := x.Pets(); listed {
			if x.Len() == 0 && x.HasRoom() && x.N < seen.N && KindOf(x) == WithoutLimit {
				return p.ID != ""
			}
			break
		}
	}
	n := s.numbers(math.MaxInt)
	return n.count && slices.Contains(n.between, p.ID)
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
