package conformance

import (
	"fmt"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/history"
)

// createStatuses: a valid NewPet is answered 201, with each of the three statuses (Endpoints / createPet). The rules
// created-as-sent and created-is-kept hold what comes back.
var createStatuses = Check{
	ID: "create-statuses", Title: "createPet with each status", Operation: spec.CreatePet,
	Proves: "CREATE-1", Requests: 3, Creates: 3, After: []string{"list-all"},
	Send: func(s *Sender) {
		for _, status := range spec.Statuses() {
			s.Create(string(status), s.Pet(string(status), status))
		}
	},
	Judge: func(j *Judge) {
		for _, x := range j.Steps("") {
			created(j, x)
		}
	},
}

var createWithoutStatus = Check{
	ID: "create-without-status", Title: "createPet without a status", Operation: spec.CreatePet,
	Proves: "CREATE-14", Also: []spec.ID{"CREATE-15"}, Requests: 1, Creates: 1,
	// After a listing of everything: a service that caches the listing lacks this animal in the next one.
	Needs: []string{"create-statuses"}, After: []string{"list-limit-bounds"},
	Send: func(s *Sender) { s.Create("no-status", s.Pet("no-status", "")) },
	Judge: func(j *Judge) {
		x := j.Step("no-status")
		switch {
		case !j.Usable(x):
			return
		case x.Status() != 201 && x.Status() == last(j.History, "create-statuses").Status():
			j.UnsureFor(last(j.History, "create-statuses"), fmt.Sprintf("createPet with a status is answered %d too", x.Status()))
			return
		case !j.Status("CREATE-14", x, 201):
			return
		}
		if p, ok := x.Pet(); ok {
			value := "no status"
			if got, has := p.Status(); has {
				value = string(got)
			}
			j.Observe("CREATE-15", "status of an animal created without one", value)
		}
	},
}

// last is the last exchange of a check.
func last(h *history.History, check string) history.Exchange {
	own := h.Of(check)
	if len(own) == 0 {
		return history.Exchange{}
	}
	return own[len(own)-1]
}

// created expects a 201. When nothing at all was created, the category may not exist on the target, and the message names
// --category-id.
func created(j *Judge, x history.Exchange) {
	shortest, longest := lengthsAccepted(j.History)
	if n := utf8.RuneCountInString(x.SentName()); x.Status()/100 == 4 && longest > 0 && (n > longest || n < shortest) {
		j.Unsure(fmt.Sprintf("exchange %d (%s) is refused, and its name is longer or shorter than any that was accepted; limits on lengths are not shown", x.N, x.Step))
		return
	}
	if j.Status("CREATE-1", x, 201) || x.Status()/100 != 4 || len(j.findings) == 0 || !noneCreated(j) {
		return
	}
	f := &j.findings[len(j.findings)-1]
	f.Message += fmt.Sprintf("; if category %d does not exist on this target, name one that does with --category-id", j.History.Meta.CategoryID)
}

// lengthsAccepted gives the lengths, in characters, of the shortest and the longest name that were accepted.
func lengthsAccepted(h *history.History) (shortest, longest int) {
	for i, c := range h.Created() {
		n := utf8.RuneCountInString(c.Sent.Name())
		if longest = max(longest, n); i == 0 || n < shortest {
			shortest = n
		}
	}
	return shortest, longest
}

func noneCreated(j *Judge) bool { return len(j.History.Created()) == 0 }

// createParallel creates eight animals at the same time, so that ids collide where they are not assigned atomically. The rule
// created-unique-ids compares them.
var createParallel = Check{
	ID: "create-parallel", Title: "createPet, eight at the same time", Operation: spec.CreatePet,
	Proves: "CREATE-1", Requests: parallelCreates, Creates: parallelCreates, After: []string{"create-statuses"},
	Send: func(s *Sender) {
		s.Parallel(times(parallelCreates, func(i int) {
			step := fmt.Sprintf("parallel-%d", i+1)
			p := s.Pet(step, spec.Statuses()[max(0, i-parallelCreates+3)])
			if i < len(plainNames) {
				p.Name = plainNames[i]
			}
			s.Create(step, p)
		})...)
	},
	Judge: func(j *Judge) {
		for _, x := range j.Steps("") {
			created(j, x)
		}
	},
}

const parallelCreates = 8

// plainNames are strings that a loosely typed language reads as false, or as a number.
var plainNames = []string{"0", "12345"}
