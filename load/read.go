package load

import (
	"fmt"
	"net/http"

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
	look := Step{Wait: RetryAfter, Role: record.Look, Budget: 1, Doing: "reading the headers"}
	steps := []Step{look}
	look.Pause = l.run.cfg.Minute / headerSpan / (headerLooks - 1)
	for range headerLooks - 1 {
		steps = append(steps, look)
	}
	for _, status := range spec.Statuses() {
		steps = append(steps, search(string(status), func(r *record.Record) { l.survey(r, string(status)) })...)
	}
	return steps
}

// search lists the animals of a status, and once more after a 429.
func search(status string, see func(*record.Record)) []Step {
	one := Step{Wait: RetryAfter, Budget: 1, See: see, Call: func(int) sender.Call {
		return sender.Call{Method: http.MethodGet, Path: "/pets?status=" + status + "&limit=100", Role: record.Search}
	}}
	again := one
	again.If = func(l *lane) bool { return l.newest.Limited() }
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
		if p.ID != "" {
			l.petID = p.ID
		}
	}
}

// unusable returns the reason why the key can't be loaded, by the response to its first request, or "".
func unusable(r *record.Record) string {
	switch {
	case r.Status == 0:
		return "the first request got no response; is the target running, and is the address right? " + r.Like.Failure.Detail
	case r.Status/100 == 3, r.Status == http.StatusNotFound, r.Barred():
		return fmt.Sprintf("the first request is answered %d; are the address and the key those of the target?", r.Status)
	}
	return ""
}
