package load

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
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
	Cost:  Cost{Requests: amount{6, 0, 0}, Usual: amount{0.05, 0, 0}, Longest: amount{1.05, 0, 0}},
	Steps: readSteps,
}

const (
	// headerLooks is how often the headers are read first, within 1/headerSpan of a minute. If Remaining falls by more
	// than one between two of these requests, someone else uses the key.
	headerLooks = 3
	headerSpan  = 20
)

// scarcity is the status with the fewest animals, n, which is -1 if no listing could be read. A listing of fewer than
// 100 is complete.
type scarcity struct {
	status string
	n      int
}

// readSteps reads the headers, measures response times, and lists the animals of each status, to find a petId for
// getPet, a category for createPet, and the status with the fewest animals.
func readSteps(l *lane, _ int) []Step {
	steps := looks(headerLooks, l.run.cfg.Minute/headerSpan/(headerLooks-1), "reading the headers")
	for _, status := range spec.Statuses() {
		steps = append(steps, search(string(status), func(r *record.Record) bool {
			l.survey(r, string(status))
			return false
		})...)
	}
	return steps
}

// looks reads the headers n times, so far apart.
func looks(n int, apart time.Duration, doing string) (steps []Step) {
	for range n {
		steps = append(steps, Step{Wait: RetryAfter, Role: record.Look, Budget: 1, Doing: doing})
		if doing = ""; len(steps) > 1 {
			steps[len(steps)-1].Pause = apart
		}
	}
	return steps
}

// search lists the animals of a status, and once more after a 429.
func search(status string, ends func(*record.Record) bool) []Step {
	one := Step{Wait: RetryAfter, Budget: 1, Ends: ends, Call: func(int) sender.Call {
		return sender.Call{Method: http.MethodGet, Path: "/pets?status=" + status + "&limit=100", Role: record.Search}
	}}
	again := one
	again.If = (*lane).refused
	return []Step{one, again}
}

// survey learns from a listing of a status.
func (l *lane) survey(r *record.Record, status string) {
	x := history.ReadExchange(l.run.rec.Of(r))
	all, ok := x.Pets()
	if !ok {
		return
	}
	if n := x.Len(); l.scarce.n < 0 || n < l.scarce.n {
		l.scarce = scarcity{status, n}
	}
	if id, known := x.Category(); known && (l.category == 0 || id < l.category) {
		l.category = id
	}
	for _, p := range all {
		l.petID = cmp.Or(p.ID, l.petID)
	}
}

// list returns a listPets of one animal, the cheapest request.
func list(role record.Role) sender.Call {
	return sender.Call{Method: http.MethodGet, Path: "/pets?limit=1", Role: role}
}

// create returns a createPet. The animal's name contains the name of the run.
func (l *lane) create(role record.Role, what, status string) sender.Call {
	name := fmt.Sprintf("petconform %s load %d %s", l.run.cfg.Run, l.id, what)
	category := cmp.Or(l.run.cfg.CategoryID, l.category, 1)
	body, _ := json.Marshal(spec.NewPet{Name: name, CategoryID: category, Status: spec.PetStatus(status)})
	return sender.Call{Method: http.MethodPost, Path: "/pets", Body: body, Role: role}
}
