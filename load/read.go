package load

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/history"
)

var headersPhase = Phase{
	Phase: judge.Phase{ID: record.Headers, Title: "The headers show the plan's limit and the requests that remain",
		Proves: []spec.ID{"RATE-15", "RATE-9"}, Shows: (*judge.View).Headers},
	OfAll: true,
	Cost: func(_ spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: headerLooks + 1, Usual: minute / 20, Longest: 21 * minute / 20}
	},
	Steps: read,
}

const (
	// headerLooks is how often the headers are read first, within 1/headerSpan of a minute. If Remaining falls by more
	// than one between two of these requests, someone else uses the key.
	headerLooks = 3
	headerSpan  = 20
)

// scarce is the status that refused createPets have: usually few animals are pending, and a listing of fewer than 100 is
// complete.
const scarce = spec.Pending

// read reads the headers, measures response times, and lists the animals that are scarce.
func read(l *lane) []Step {
	return append(looks(headerLooks, l.run.cfg.Minute/headerSpan/(headerLooks-1), "reading the headers"), search("")...)
}

// looks reads the headers n times, so far apart.
func looks(n int, apart time.Duration, doing string) []Step {
	all := slices.Repeat([]Step{{Doing: doing, Role: record.Look, Budget: 1, Pause: apart}}, n)
	all[0].Pause = 0
	return all
}

// search lists the animals that are scarce, and once more after a 429.
func search(doing string) []Step {
	one := Step{Doing: doing, Role: record.Search, Budget: 1, Call: func(int) sender.Call {
		return sender.Call{Method: http.MethodGet, Path: "/pets?status=" + string(scarce) + "&limit=100"}
	}}
	again := one
	again.If = (*lane).refused
	return []Step{one, again}
}

// meet finds an animal for getPet and a category for createPet in a response, and counts those that are scarce.
func (l *lane) meet(r *record.Record) {
	x := history.ReadExchange(l.run.rec.Of(r))
	pets, ok := x.Pets()
	if ok && r.Role == record.Search {
		l.scarce = x.Len()
	}
	if p, ok := x.Pet(); ok {
		pets = append(pets, p)
	}
	for _, p := range pets {
		l.petID = cmp.Or(p.ID, l.petID)
	}
	if id, known := x.Category(); known {
		l.category = cmp.Or(l.category, id)
	}
}

// list returns a listPets of one animal, the cheapest request.
func list(int) sender.Call { return sender.Call{Method: http.MethodGet, Path: "/pets?limit=1"} }

// create returns a createPet. The animal's name contains the name of the run.
func (l *lane) create(what string, status spec.PetStatus) sender.Call {
	name := fmt.Sprintf("petconform %s load %d %s", l.run.cfg.Run, l.id, what)
	category := cmp.Or(l.run.cfg.CategoryID, l.category, 1)
	body, _ := json.Marshal(spec.NewPet{Name: name, CategoryID: category, Status: status})
	return sender.Call{Method: http.MethodPost, Path: "/pets", Body: body}
}
