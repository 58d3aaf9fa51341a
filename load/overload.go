package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func overloadPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Overload, Title: "Under overload the plan's requests are accepted, and the others are answered 429",
			Proves: []spec.ID{"RATE-14", "RATE-6"}, Judge: judge.Overload},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			first, again := overloadRequests(c.limit), c.limit+c.limit/2
			one := PhaseSchedule{Requests: overloads*fewLooks + first + (overloads-1)*again,
				Most: mostOverloads * (mostLooks + first), Fastest: c.Minute / 2, Longest: 6 * c.Minute}
			if slices.Contains(c.phases, record.RefusedCreate) {
				one.Creates = refusedCreates
			}
			return one
		},
		send: (*lane).overload,
	}
}

func refusedCreatePhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.RefusedCreate, Title: "A createPet that was answered 429 created nothing",
			Proves: []spec.ID{"RATE-12"}, Judge: judge.RefusedCreate},
		planned: func(c *Config) bool { return !c.ReadOnly },
		cost:    func(cost) PhaseSchedule { return PhaseSchedule{Requests: 1, Most: 2} },
		within:  record.Overload,
	}
}

// refusedCreates is the largest number of createPets during the overload: 3, each right after a 429.
const refusedCreates = 3

// overloadRate is the rate of the overload's tail, in multiples of the plan's rate: 2.
const overloadRate = 2

// mostDelayed is the most requests in flight to a target that delays them: 512. A leaky bucket that delays what is
// beyond its rate refuses a request only while it holds the plan's requests.
const mostDelayed = 512

// overloadRequests returns the largest number of requests of the first overload: 1.5 times the plan at once, then
// overloadRate times the plan's rate for half a window.
func overloadRequests(limit int) int {
	return limit + limit/2 + overloadRate*limit/2
}

// overloads is how many overloads every run has: 2, since a race does not show each time. If one of them accepted more
// or less than it should, there is a third, since a finding needs two cases. Later overloads have a tail only if more
// was accepted before than a bucket can have gained.
const overloads, mostOverloads = 2, 3

// overload sends far more than the plan's requests. In the first round it also uses the other key: before, during and
// after the overload.
func (l *lane) overload(ctx context.Context) error {
	odd, tail := 0, true
	for round := 1; round <= overloads || round <= mostOverloads && odd == 1; round++ {
		l.began(record.Overload, round, "sending more than the plan")
		burst, all, err := l.press(ctx, round, tail)
		if err != nil {
			return err
		}
		l.ended(record.Overload, round)
		if l.newest.Limited() {
			if err := l.recover(ctx, 30+round); err != nil {
				return err
			}
		}
		if tail = l.tooMany(&all); tail || !l.served(&burst) {
			odd++
		}
	}
	return l.searchRefused(ctx)
}

// tooMany reports whether a bucket accepted more than it can have gained.
func (l *lane) tooMany(f *filled) bool {
	limit := int(l.key.Plan.PerMinute)
	return !l.exact && float64(f.accepted-limit) > f.gains(limit, l.run.cfg.Minute)+1
}

// served reports whether a burst accepted the plan's requests, or as many more as a bucket may have gained. While the
// other key is used, a bucket gains a token for the request that showed the fresh allowance.
func (l *lane) served(f *filled) bool {
	limit := int(l.key.Plan.PerMinute)
	return f.limited && (f.accepted == limit || !l.exact && f.accepted > limit && !l.tooMany(f))
}

// press sends one overload: a burst, and a tail if tail is set. It returns the counts of the burst and of all. Only one
// lane at a time uses the other key, so that its allowance shows the effect of one overload.
func (l *lane) press(ctx context.Context, round int, tail bool) (burst, all filled, err error) {
	if l.run.cfg.has(record.Isolation) && round == 1 {
		l.run.besideMu.Lock()
		defer l.run.besideMu.Unlock()
	}
	if err := l.fresh(ctx, record.Overload, round); err != nil {
		return burst, all, err
	}
	if round == 1 {
		if err := l.beside(ctx, record.Control, controlReads); err != nil {
			return burst, all, err
		}
	}
	limit, w := int(l.key.Plan.PerMinute), l.run.cfg.Minute
	begun := l.looked()
	creates := refusedCreates
	if round > 1 || !l.run.cfg.has(record.RefusedCreate) || l.scarce.n < 0 || l.scarce.n >= 100 {
		creates = 0
	}
	next, see := l.createAfter429(creates)
	a := sender.Attack{Phase: record.Overload, Round: round, Next: next(record.Spend), Budget: limit + limit/2, Workers: concurrency, Each: see}
	records, err := l.send(ctx, a)
	burst = filled{took: time.Since(begun), accepted: 1}
	burst.count(records)
	if err != nil || !tail {
		return burst, burst, err
	}
	// The tail ends early when a Retry-After shows that the key was banned, which is lawful.
	a.Next, a.Budget = next(record.Press), overloadRate*limit/2
	a.Interval = w / 2 / time.Duration(a.Budget)
	if !burst.limited && burst.took > w/2 { // the target delays requests before it refuses one
		a.Budget, a.Interval, a.Workers = limit+limit/4, 0, min(limit+mostPast, mostDelayed)
	}
	a.Each = func(r *record.Record) bool { return see(r) && !(r.Limited() && r.WaitsLong(w)) }
	if round == 1 {
		records, err = l.sendBeside(ctx, a)
	} else {
		records, err = l.send(ctx, a)
	}
	all = burst
	all.count(records)
	all.took = time.Since(begun)
	return burst, all, err
}

// sendBeside sends the tail, and requests with the other key before, during and after it. If a bucket also refuses the
// other key, that may end after its Retry-After, 1 s on Free, so requests after the overload would not show it.
func (l *lane) sendBeside(ctx context.Context, tail sender.Attack) ([]record.Record, error) {
	if err := l.beside(ctx, record.Beside, 1); err != nil {
		return nil, err
	}
	var beside error
	var wg sync.WaitGroup
	wg.Go(func() {
		defer l.run.guard()
		for i := 0; i < besideReads-2 && beside == nil; i++ {
			if beside = sleepUntil(ctx, time.Now().Add(l.run.cfg.Minute/2/(besideReads-1))); beside == nil {
				beside = l.beside(ctx, record.Beside, 1)
			}
		}
	})
	records, err := l.send(ctx, tail)
	wg.Wait()
	if err = errors.Join(err, beside); err == nil {
		err = l.beside(ctx, record.Beside, 1)
	}
	return records, err
}

// createAfter429 returns two functions for an attack: next returns its next request, a listPets, or right after a 429 a
// createPet, which has to be refused; up to n of them. see notes whether a response is a 429, and never ends the
// attack.
func (l *lane) createAfter429(n int) (next func(record.Role) func(int) sender.Call, see func(*record.Record) bool) {
	var refused atomic.Bool
	sent := 0
	next = func(role record.Role) func(int) sender.Call {
		return func(int) sender.Call {
			if sent == n || !refused.Swap(false) {
				return list(role)
			}
			call := l.create(fmt.Sprintf("refused %d", sent), l.scarce.status)
			call.Role = record.Press
			sent++
			return call
		}
	}
	return next, func(r *record.Record) bool {
		refused.Store(r.Limited())
		return true
	}
}

// banGuess is how long searchRefused waits for the end of a ban, in the target's minutes: 3. The interface says only
// that a ban is temporary.
const banGuess = 3

// searchRefused lists the animals with the status of the refused createPets.
func (l *lane) searchRefused(ctx context.Context) error {
	if !l.run.cfg.has(record.RefusedCreate) {
		return nil
	}
	l.began(record.RefusedCreate, 1, "searching for animals of refused createPets")
	defer l.ended(record.RefusedCreate, 1)
	switch {
	case l.scarce.n < 0:
		l.skip(record.RefusedCreate, "no listing could be read, so it is not known whether one shows every animal of its status")
		return nil
	case l.scarce.n >= 100:
		l.skip(record.RefusedCreate, record.StoreFull)
		return nil
	}
	if err := l.obey(ctx); err != nil {
		return err
	}
	for try := range 2 {
		r, err := l.one(ctx, record.RefusedCreate, 1, search(l.scarce.status))
		if err != nil || !r.Limited() && !r.Barred() || try == 1 {
			return err
		}
		if r.Barred() { // since the overload sent requests after 429s
			l.blocked = time.Now().Add(banGuess * l.run.cfg.Minute)
		}
		if err := l.obey(ctx); err != nil {
			return err
		}
	}
	return nil
}
