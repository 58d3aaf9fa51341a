package load

import (
	"cmp"
	"context"
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

func mixedPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Mixed, Title: "All operations and connections share one allowance",
			Proves: []spec.ID{"RATE-11", "RATE-6", "RATE-7"}, Judge: judge.Mixed},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			one := PhaseSchedule{Requests: fewLooks + c.limit + 1 + beyondMixed, Most: mixedRounds * (mostLooks + mostOfBurst(c.limit) + beyondMixed),
				Longest: 5 * c.Minute}
			if !c.ReadOnly {
				one.Creates = mixedRounds * mixedCreates
			}
			return one
		},
		send:  (*lane).mixed,
		after: record.Fill, // whose count is that of one operation on one connection
	}
}

// connections is the number of independent connections in the mixed phase: 4.
const connections = 4

// mixedRounds is the largest number of rounds of the mixed phase: 3. mixedCreates is how many animals each creates: 2.
// getPet needs one if the target has none.
const mixedRounds, mixedCreates = 3, 2

// mixed spends one fresh allowance with all operations over several connections, and recovers at Reset. It repeats
// that, up to mixedRounds, until the number of accepted requests is as planned. Requests right before the first round
// may explain its number, and a finding needs two cases, so it may need three rounds.
func (l *lane) mixed(ctx context.Context) error {
	for round := 1; ; round++ {
		l.began(record.Mixed, round, "one allowance for all operations")
		out, err := l.mix(ctx, round)
		l.ended(record.Mixed, round)
		if err != nil {
			return err
		}
		if out.limited {
			if err := l.atReset(ctx, 20+round); err != nil {
				return err
			}
		}
		if l.asPlanned(&out) || round == mixedRounds {
			return nil
		}
		if err := l.pause(ctx, 0); err != nil {
			return err
		}
	}
}

// mix sends one round of the mixed phase.
func (l *lane) mix(ctx context.Context, round int) (filled, error) {
	if err := l.fresh(ctx, record.Mixed, round); err != nil {
		return filled{}, err
	}
	apart := make([]http.RoundTripper, connections)
	for i := range apart {
		apart[i] = l.run.cfg.Connect()
	}
	defer func() {
		for _, t := range apart {
			(&http.Client{Transport: t}).CloseIdleConnections()
		}
	}()
	at := 0
	next := func(int) sender.Call {
		at++
		return l.mixedCall(at-1, round)
	}
	a := sender.Attack{Phase: record.Mixed, Round: round, Next: next, Connections: apart, Each: l.findPet(odd(8))}
	out, err := l.spend(ctx, a, connections, false)
	if err == nil && l.newest.Limited() {
		var beyond []record.Record
		beyond, err = l.everyOperation(ctx, round, apart)
		out.count(beyond)
	}
	out.took = time.Since(out.began)
	return out, err
}

// everyOperation sends one request of each operation right after the 429, each on another connection. An operation with
// an allowance of its own is accepted.
func (l *lane) everyOperation(ctx context.Context, round int, apart []http.RoundTripper) ([]record.Record, error) {
	calls := []sender.Call{list(record.Press)}
	if id := l.pet(); id != "" {
		calls = append(calls, sender.Call{Method: http.MethodGet, Path: "/pets/" + id, Role: record.Press})
	}
	if !l.run.cfg.ReadOnly {
		create := l.create(fmt.Sprintf("beyond %d", round), l.scarce.status)
		create.Role = record.Press
		calls = append(calls, create)
	}
	for i := range calls {
		calls[i].Connection = i + 1
	}
	return l.send(ctx, sender.Attack{Phase: record.Mixed, Round: round, Budget: len(calls), Workers: 1, Connections: apart,
		Next: func(i int) sender.Call { return calls[i] }})
}

// mixedCall returns request i: the operations take turns. Only mixedCreates requests create an animal, since the
// service has no delete.
func (l *lane) mixedCall(i, round int) sender.Call {
	call := list(record.Spend)
	switch {
	case !l.run.cfg.ReadOnly && (i == 2 || i == 5):
		call = l.create(fmt.Sprintf("mixed %d %d", round, i), "")
		call.Role = record.Spend
	case i%2 == 1 && l.pet() != "":
		call.Path = "/pets/" + l.pet()
	case i%4 == 2:
		call.Path = "/pets?status=" + string(spec.Available) + "&limit=1"
	}
	call.Connection = i%connections + 1
	return call
}

// findPet uses a created animal for getPet if no listing had one.
func (l *lane) findPet(each func(*record.Record) bool) func(*record.Record) bool {
	return func(r *record.Record) bool {
		if l.pet() == "" && r.Status == http.StatusCreated {
			x := history.ReadExchange(l.run.rec.Of(r))
			if p, ok := x.Pet(); ok {
				l.mu.Lock()
				l.petID = p.ID
				l.mu.Unlock()
			}
		}
		return each(r)
	}
}

// pet returns the id of an animal for getPet, or "" if none is known.
func (l *lane) pet() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.petID
}

// create returns a createPet. The animal's name contains the name of the run.
func (l *lane) create(what, status string) sender.Call {
	name := fmt.Sprintf("petconform %s load %d %s", l.run.cfg.Run, l.id, what)
	category := cmp.Or(l.run.cfg.CategoryID, l.category, 1)
	body, _ := json.Marshal(spec.NewPet{Name: name, CategoryID: category, Status: spec.PetStatus(status)})
	return sender.Call{Method: http.MethodPost, Path: "/pets", Body: body}
}
