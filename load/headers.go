package load

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/history"
)

func headersPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Headers, Title: "The headers show the plan's limit and the requests that remain",
			Proves: []spec.ID{"RATE-15", "RATE-9"}, Judge: judge.Headers},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			return PhaseSchedule{Requests: headerLooks + len(spec.Statuses()), Most: headerLooks + 2*len(spec.Statuses()),
				Fastest: c.Minute / headerSpan, Longest: c.Minute/headerSpan + c.Minute}
		},
		send: (*lane).headers,
	}
}

const (
	// headerLooks is how often the headers are read first, within 1/headerSpan of a minute. If Remaining falls by more
	// than one between two of these requests, someone else uses the key.
	headerLooks = 3
	headerSpan  = 20
)

// scarcity is the status with the fewest animals, n. A listing of fewer than 100 is complete.
type scarcity struct {
	status string
	n      int
}

// headers reads the headers and the listings, and measures response times. A quick run reads the headers once.
func (l *lane) headers(ctx context.Context) error {
	l.began(record.Headers, 1, "reading the headers")
	defer l.ended(record.Headers, 1)
	if err := l.obey(ctx); err != nil {
		return err
	}
	looks := headerLooks
	if l.run.cfg.Quick { // more requests would make the fill wait for a fresh allowance
		looks = 1
	}
	for i := range looks {
		r, err := l.one(ctx, record.Headers, 1, list(record.Look))
		if err != nil {
			return err
		}
		if why := l.unusable(&r); why != "" {
			return giveUp{why}
		}
		if r.Limited() { // someone else spent the allowance
			if err := l.obey(ctx); err != nil {
				return err
			}
		}
		if i < looks-1 {
			if err := l.wait(ctx, time.Now().Add(l.run.cfg.Minute/headerSpan/(headerLooks-1)), "between two looks"); err != nil {
				return err
			}
		}
	}
	if l.run.cfg.Quick {
		return nil
	}
	return l.survey(ctx)
}

// unusable returns the reason why the key can't be loaded, or "".
func (l *lane) unusable(r *record.Record) string {
	switch {
	case r.Status == 0:
		return fmt.Sprintf("the first request got no response; is the target running, and is the address right? %s", r.Like.Failure.Detail)
	case r.Status/100 == 3:
		return fmt.Sprintf("the first request is redirected (%d); use the address to which it is redirected", r.Status)
	case r.Barred():
		return fmt.Sprintf("the key is not accepted: the first request is answered %d; is it a key of this target?", r.Status)
	case r.Status == http.StatusNotFound:
		return "GET /pets is answered 404; is the base address right?"
	}
	return ""
}

// survey lists the animals of each status, to find a petId for getPet, a category for createPet, and the status with
// the fewest animals.
func (l *lane) survey(ctx context.Context) error {
	l.scarce = scarcity{n: -1}
	for _, status := range spec.Statuses() {
		r, err := l.one(ctx, record.Headers, 1, search(string(status)))
		if err == nil && r.Limited() {
			if err = l.obey(ctx); err == nil {
				r, err = l.one(ctx, record.Headers, 1, search(string(status)))
			}
		}
		if err != nil {
			return err
		}
		pets := l.run.listing(&r)
		if pets == nil {
			continue
		}
		if n := pets.Len(); l.scarce.n < 0 || n < l.scarce.n {
			l.scarce = scarcity{string(status), n}
		}
		if id, known := pets.Category(); known && (l.category == 0 || id < l.category) {
			l.category = id
		}
		all, _ := pets.Pets()
		for _, p := range all {
			if p.ID != "" {
				l.mu.Lock()
				l.petID = p.ID
				l.mu.Unlock()
			}
		}
	}
	return nil
}

func search(status string) sender.Call {
	return sender.Call{Method: http.MethodGet, Path: "/pets?status=" + status + "&limit=100", Role: record.Search}
}

// listing reads a 200 of listPets; nil when the record is not one.
func (r *run) listing(rec *record.Record) *history.Exchange {
	if rec.N == 0 {
		return nil
	}
	x := history.ReadExchange(r.rec.Of(rec))
	if _, ok := x.Pets(); !ok {
		return nil
	}
	return &x
}
