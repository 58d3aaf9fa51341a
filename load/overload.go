package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
)

// refusedCreates is how many createPets are sent into the overload, where they have to be refused.
const refusedCreates = 3

// overloadRequests is the most that the overload of a plan sends: at first half as much again as the plan, all at once,
// then a multiple of it for half a window.
func (c *Config) overloadRequests(limit int) int {
	return limit + limit/2 + int(c.Multiple*float64(limit)/2)
}

// overload sends far more than the plan, with the other key looked at before, during and after.
func (l *lane) overload(ctx context.Context) error {
	for round := 1; round <= 2; round++ {
		l.began(record.Overload, round, "more than the plan")
		out, err := l.press(ctx, round)
		if err != nil {
			return err
		}
		l.ended(record.Overload, round)
		if l.newest.Limited() {
			if err := l.recover(ctx, 30+round); err != nil {
				return err
			}
		}
		if out.asPlanned(int(l.key.Plan.PerMinute), l.run.cfg.Minute) {
			break
		}
	}
	return l.searchRefused(ctx)
}

// press sends one overload: a burst, and a tail. Only one lane does so at a time where the other key is looked at, but
// the wait for a fresh allowance and the way back are not in it.
func (l *lane) press(ctx context.Context, round int) (filled, error) {
	if l.run.cfg.has(record.Isolation) && round == 1 {
		l.run.besideMu.Lock()
		defer l.run.besideMu.Unlock()
	}
	if err := l.fresh(ctx, record.Overload, round); err != nil {
		return filled{}, err
	}
	if round == 1 {
		if err := l.beside(ctx, record.Control, controlReads); err != nil {
			return filled{}, err
		}
	}
	limit := int(l.key.Plan.PerMinute)
	begun := l.looked()
	records, err := l.send(ctx, sender.Attack{Phase: record.Overload, Round: round, Next: lists(record.Spend), Budget: limit + limit/2,
		Workers: l.run.cfg.Concurrency})
	out := filled{took: time.Since(begun), accepted: 1}
	out.count(records)
	if err != nil || round > 1 {
		return out, err
	}
	if err = l.beside(ctx, record.Beside, 1); err != nil {
		return out, err
	}
	var beside error
	var wg sync.WaitGroup
	wg.Go(func() { beside = l.besideTail(ctx) })
	err = l.tail(ctx, limit)
	wg.Wait()
	if err = errors.Join(err, beside); err == nil {
		err = l.beside(ctx, record.Beside, 1)
	}
	return out, err
}

// besideTail looks at the other key while the tail goes on: a refusal that spreads may last no longer than a bucket's
// Retry-After.
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

// tail goes on at a multiple of the plan. It ends when the target has banned the key, which it may.
func (l *lane) tail(ctx context.Context, limit int) error {
	w := l.run.cfg.Minute
	budget := int(l.run.cfg.Multiple * float64(limit) / 2)
	creates := 0
	if l.run.cfg.has(record.RefusedCreate) && l.newest.Limited() && l.scarce.n >= 0 && l.scarce.n < 100 {
		creates = refusedCreates
	}
	next := func(i int) sender.Call {
		if i%3 == 1 && i/3 < creates {
			call := l.create(fmt.Sprintf("refused %d", i/3), l.scarce.status)
			call.Role = record.Press
			return call
		}
		return list(record.Press)
	}
	_, err := l.send(ctx, sender.Attack{Phase: record.Overload, Round: 1, Next: next, Budget: budget, Interval: w / 2 / time.Duration(budget),
		Workers: l.run.cfg.Concurrency, Each: func(r *record.Record) bool {
			return !r.Limited() || l.waitOf(r) <= 2*w+2*time.Second
		}})
	return err
}

// searchRefused lists the animals of the status that the refused createPets had.
func (l *lane) searchRefused(ctx context.Context) error {
	if !l.run.cfg.has(record.RefusedCreate) {
		return nil
	}
	l.began(record.RefusedCreate, 1, "looking for what was refused")
	defer l.ended(record.RefusedCreate, 1)
	if l.scarce.n < 0 || l.scarce.n >= 100 {
		l.skip(record.RefusedCreate, "every status has 100 animals or more, and a listing shows no more, so an animal that must not be there could not be seen")
		return nil
	}
	if err := l.obey(ctx); err != nil {
		return err
	}
	for try := range 2 {
		call := search(l.scarce.status)
		r, err := l.one(ctx, record.RefusedCreate, 1, call)
		if err != nil || !r.Limited() || try == 1 {
			return err
		}
		if err := l.obey(ctx); err != nil {
			return err
		}
	}
	return nil
}
