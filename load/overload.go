package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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

// overloadRequests returns the largest number of requests of the first overload: 1.5 times the plan at once, then overloadRate times the
// plan's rate for half a window.
func overloadRequests(limit int) int {
	return limit + limit/2 + overloadRate*limit/2
}

// overloads is how many overloads every run has: 2, since a race does not show each time. If one of them accepted more or less than it
// should, there is a third, since a finding needs two cases. Later overloads have a tail only if more was accepted before than a bucket can
// have gained.
const overloads, mostOverloads = 2, 3

// overload sends far more than the plan's requests. In the first round it also uses the other key: before, during and after the overload.
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

// served reports whether a burst accepted the plan's requests, or as many more as a bucket may have gained. While the other key is used, a
// bucket gains a token for the request that showed the fresh allowance.
func (l *lane) served(f *filled) bool {
	limit := int(l.key.Plan.PerMinute)
	return f.limited && (f.accepted == limit || !l.exact && f.accepted > limit && !l.tooMany(f))
}

// press sends one overload: a burst, and a tail if tail is set. It returns the counts of the burst and of all. Only one lane at a time uses
// the other key, so that its allowance shows the effect of one overload.
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
	limit := int(l.key.Plan.PerMinute)
	begun := l.looked()
	creating := &refusedCreation{lane: l, left: refusedCreates}
	if round > 1 || !l.run.cfg.has(record.RefusedCreate) || l.scarce.n < 0 || l.scarce.n >= 100 {
		creating.left = 0
	}
	records, err := l.send(ctx, sender.Attack{Phase: record.Overload, Round: round, Next: creating.orList(record.Spend), Budget: limit + limit/2,
		Workers: concurrency, Each: creating.see})
	burst = filled{took: time.Since(begun), accepted: 1}
	burst.count(records)
	if err != nil || !tail {
		return burst, burst, err
	}
	send := l.tail
	if round == 1 {
		send = l.tailBeside
	}
	records, err = send(ctx, round, creating)
	all = burst
	all.count(records)
	all.took = time.Since(begun)
	return burst, all, err
}

// tailBeside sends the tail, and requests with the other key before, during and after it.
func (l *lane) tailBeside(ctx context.Context, round int, creating *refusedCreation) ([]record.Record, error) {
	if err := l.beside(ctx, record.Beside, 1); err != nil {
		return nil, err
	}
	var beside error
	var wg sync.WaitGroup
	wg.Go(func() {
		defer l.run.guard()
		beside = l.besideTail(ctx)
	})
	records, err := l.tail(ctx, round, creating)
	wg.Wait()
	if err = errors.Join(err, beside); err == nil {
		err = l.beside(ctx, record.Beside, 1)
	}
	return records, err
}

// besideTail sends requests with the other key during the tail. If a bucket also refuses the other key, that may end after its Retry-After,
// 1 s on Free, so requests after the overload would not show it.
func (l *lane) besideTail(ctx context.Context) error {
	apart := l.run.cfg.Minute / 2 / (besideReads - 1)
	for range besideReads - 2 {
		if err := sleepUntil(ctx, time.Now().Add(apart)); err != nil {
			return err
		}
		if err := l.beside(ctx, record.Beside, 1); err != nil {
			return err
		}
	}
	return nil
}

// tail sends at overloadRate times the plan's rate. It ends early when a Retry-After shows that the key was banned, which is lawful.
func (l *lane) tail(ctx context.Context, round int, creating *refusedCreation) ([]record.Record, error) {
	w := l.run.cfg.Minute
	budget := overloadRate * int(l.key.Plan.PerMinute) / 2
	return l.send(ctx, sender.Attack{Phase: record.Overload, Round: round, Next: creating.orList(record.Press), Budget: budget,
		Interval: w / 2 / time.Duration(budget), Workers: concurrency, Each: func(r *record.Record) bool {
			creating.see(r)
			return !r.Limited() || l.waitOf(r) <= record.LongestWait(l.run.cfg.Minute)
		}})
}

// refusedCreation sends a createPet right after a 429, where it has to be refused; up to refusedCreates of them.
type refusedCreation struct {
	lane *lane

	mu sync.Mutex
	// left is how many more may be sent. beyond says that the newest response was a 429.
	left   int
	sent   int
	beyond bool
}

// orList returns a function for the next request of the overload: a createPet after a 429, else a listPets.
func (c *refusedCreation) orList(role record.Role) func(int) sender.Call {
	return func(int) sender.Call {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.beyond || c.left == 0 {
			return list(role)
		}
		call := c.lane.create(fmt.Sprintf("refused %d", c.sent), c.lane.scarce.status)
		call.Role = record.Press
		c.left, c.sent, c.beyond = c.left-1, c.sent+1, false
		return call
	}
}

// see notes whether a response is a 429. It never ends an attack.
func (c *refusedCreation) see(r *record.Record) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beyond = r.Limited()
	return true
}

// banGuess is how long searchRefused waits for the end of a ban, in the target's minutes: 3. The interface says only that a ban is
// temporary.
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
