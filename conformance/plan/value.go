package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// value is what a word stands for, "" if the run does not know it. is tells it from any other text in braces.
func (s *State) value(word string) (value string, is bool) {
	if s.Word != nil {
		if value, is = s.Word(word); is {
			return value, true
		}
	}
	if check, step, ofRow := strings.Cut(word, "/"); ofRow {
		return s.idOf(check, step), true
	}
	if values[word] == nil {
		return "", false
	}
	return values[word](s), true
}

var values = map[string]func(*State) string{
	// unseen is a status that no animal has yet, so that the filter finds nothing.
	"unseen": func(s *State) string {
		left := slices.Clone(spec.Statuses())
		for _, x := range s.All {
			for _, p := range x.Shown() {
				left = slices.DeleteFunc(left, func(status spec.PetStatus) bool { got, _ := p.Status(); return got == status })
			}
		}
		if len(left) == 0 {
			return string(spec.Pending)
		}
		return string(left[len(left)-1])
	},
	// next is an id that one of the animals to come has, where ids count up or down by the same step each time. Where several
	// processes assign them, they do not come in their order.
	"next": func(s *State) string {
		var ids [3]int64
		for i, step := range []string{"sold", "pending", "available"} {
			var err error
			if ids[i], err = strconv.ParseInt(s.idOf("create-statuses", step), 10, 64); err != nil {
				return ""
			}
		}
		if ids[0] <= ids[1] || ids[1] <= ids[2] {
			slices.Sort(ids[:])
		}
		if ids[2]-ids[1] != ids[1]-ids[0] || ids[2] == ids[1] {
			return ""
		}
		return strconv.FormatInt(ids[2]+stepsAhead*(ids[2]-ids[1]), 10)
	},
	// early is the id that getPet was asked for before an animal had it, if one has it now.
	"early": func(s *State) string {
		for _, x := range s.Of("get-early") {
			if slices.ContainsFunc(s.Created(), func(c history.Creation) bool { return c.Answered.ID == x.PetID() }) {
				return x.PetID()
			}
		}
		return ""
	},
	// own is an animal of the run, else of another client.
	"own": func(s *State) string { return cmp.Or(s.idOf("create-statuses", "sold"), s.listed(), "1") },
	// listed is an animal of another client.
	"listed": (*State).listed,
	"digits": func(s *State) string {
		own := cmp.Or(s.idOf("create-statuses", "sold"), s.listed())
		return own[:max(0, len(own)-1)]
	},
	"beyond": func(s *State) string {
		return s.unknown(func(known int64) int64 { return known + 1<<32 }, 2_000_000_001)
	},
	// neighbour is an id that a float64 does not tell from that of an animal.
	"neighbour": func(s *State) string {
		known, err := strconv.ParseInt(cmp.Or(s.idOf("create-statuses", "sold"), s.listed()), 10, 64)
		if err != nil || float64(known) != float64(known+1) {
			return ""
		}
		return strconv.FormatInt(known+1, 10)
	},
	"negative": func(s *State) string { return s.unknown(func(known int64) int64 { return -known }, -8_000_001) },
	// chosen is an id of 7e12 and more, which no counter reaches by chance and a float64 keeps exactly. Each run has
	// another one, since a service that takes it keeps it.
	"chosen": func(s *State) string {
		run, _ := strconv.ParseInt(s.Meta.Run, 36, 64)
		return strconv.FormatInt(7_000_000_000_000+run, 10)
	},
}

// stepsAhead is how many animals are created before the one with the id next: the first refused requests may take ids.
const stepsAhead = 6

func (s *State) idOf(check, step string) string {
	for _, x := range s.OfRow(check, step) {
		if p, ok := x.Pet(); ok && x.Operation == spec.CreatePet {
			return p.ID
		}
	}
	return ""
}

func (s *State) listed() string {
	for _, x := range s.All {
		if pets, ok := x.Pets(); ok {
			for _, p := range pets {
				if p.ID != "" {
					return p.ID
				}
			}
			return ""
		}
	}
	return ""
}

// unknown is an id that no animal has, made from a known one.
func (s *State) unknown(from func(int64) int64, otherwise int64) string {
	known, err := strconv.ParseInt(cmp.Or(s.listed(), s.idOf("create-statuses", "sold")), 10, 64)
	if err == nil && known != 0 && known > -1<<62 && known < 1<<62 {
		otherwise = from(known)
	}
	return strconv.FormatInt(otherwise, 10)
}

// stoodStill returns one listing more, if X-RateLimit-Remaining did not go down, below X-RateLimit-Limit.
func stoodStill(s *State) []Row {
	if !rules.StoodStill(s.History) {
		return nil
	}
	later := list("later", "limit=1")
	later.Pause = rules.Delay(s.History)
	return []Row{later}
}
