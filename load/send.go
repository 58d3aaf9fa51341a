package load

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec/exchange"
)

// list returns a listPets of one animal, the cheapest request.
func list(role record.Role) sender.Call {
	return sender.Call{Method: http.MethodGet, Path: "/pets?limit=1", Role: role}
}

func lists(role record.Role) func(int) sender.Call {
	return func(int) sender.Call { return list(role) }
}

// send sends an attack with the lane's own key.
func (l *lane) send(ctx context.Context, a sender.Attack) ([]record.Record, error) {
	each := a.Each
	var gone string
	silent := 0
	a.Each = func(r *record.Record) bool {
		l.observe(r)
		if r.Status != 0 {
			silent = 0
		} else if f := r.Like.Failure; f != nil && slices.Contains([]exchange.Kind{exchange.Unreachable,
			exchange.Timeout, exchange.Stopped}, f.Kind) {
			if silent++; silent >= mostSilent {
				gone = fmt.Sprintf("%d requests in a row got no response; the last: %s", mostSilent, f.Detail)
			}
		}
		return gone == "" && (each == nil || each(r))
	}
	records, err := l.own.Run(ctx, a)
	l.quiet = time.Now()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && gone != "" {
		err = giveUp{gone}
	}
	return records, err
}

// mostSilent is how many requests in a row may fail to connect or time out before the lane ends: 20.
const mostSilent = 20

// one sends a single request.
func (l *lane) one(ctx context.Context, p record.Phase, round int, call sender.Call) (record.Record, error) {
	records, err := l.send(ctx, sender.Attack{Phase: p, Round: round, Budget: 1, Workers: 1, Next: func(int) sender.Call { return call }})
	if len(records) == 0 {
		return record.Record{}, err
	}
	last := &records[len(records)-1]
	l.keepTime(last)
	return *last, err
}

// observe notes the headers and the status of a response in the lane.
func (l *lane) observe(r *record.Record) {
	if e, due := l.learn(r); due {
		l.run.show(e)
	}
}

// learn updates the state of the key by a response. It returns the state, and whether eventEvery has passed since the
// last event.
func (l *lane) learn(r *record.Record) (e Event, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Sent >= l.newest.Sent {
		l.newest = *r
		if r.Limit.Known() && r.Remaining.Known() {
			l.now.Limit, l.now.Remaining = int64(r.Limit), int64(r.Remaining)
		}
	}
	switch {
	case r.Limited():
		l.now.Refused++
		l.blocked = l.at(r.Received()).Add(l.waitOf(r))
	case r.Accepted():
		l.now.Accepted++
		if r.Sent >= l.newest.Sent { // an earlier 429 no longer matters
			l.blocked = time.Time{}
		}
	}
	if l.now.Sent == 0 {
		l.begun = l.at(r.Sent)
	}
	l.now.Sent++
	now := time.Now()
	if due = now.Sub(l.shown) > eventEvery; due {
		l.shown = now
	}
	l.now.Waiting = 0
	return l.event(), due
}

// eventEvery is the shortest time between two events of a key that is sending: 0.5 s.
const eventEvery = 500 * time.Millisecond

// at returns the time, by this machine's clock, of an offset in a record.
func (l *lane) at(offset time.Duration) time.Time { return l.run.rec.Meta.Started.Add(offset) }

// drift says how much slower the target's clock may be than this machine's: by 1/5,000, which is 12 ms in a minute.
// Clocks usually differ by less than 1/10,000. A Retry-After that is rounded down is still found, since it is up to a
// second too short.
const drift = 5000

// waitOf returns the time that a 429 asks to wait, plus drift, or a minute if its Retry-After can't be read.
func (l *lane) waitOf(r *record.Record) time.Duration {
	wait, ok := r.Wait()
	if !ok {
		return l.run.cfg.Minute
	}
	return wait + wait/drift
}

// longestReset is the longest time from Date to an X-RateLimit-Reset of the minute's limit: three of the target's
// minutes, one more than a sliding counter needs, plus 2 s, since Reset and Date are whole seconds and each may be off
// by one. A later Reset is the day's.
func (l *lane) longestReset() time.Duration { return 3*l.run.cfg.Minute + 2*time.Second }

// resetOf returns the time in X-RateLimit-Reset by this machine's clock: received + Reset - Date. It is unknown if
// Reset is before Date, or more than longestReset after it.
func (l *lane) resetOf(r *record.Record) (time.Time, bool) {
	if !r.Reset.Known() || !r.Date.Known() {
		return time.Time{}, false
	}
	in := r.ResetIn()
	if in < 0 || in > l.longestReset() {
		return time.Time{}, false
	}
	return l.at(r.Received()).Add(in), true
}

func (l *lane) ofMinute(r *record.Record) bool { return r.Of(l.key.Plan.PerMinute) }

// obey waits until the Retry-After of the last 429 has passed.
func (l *lane) obey(ctx context.Context) error {
	if left := time.Until(l.blocked); left > l.run.cfg.MaxWait {
		return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s; the day's allowance may be spent, or the key banned", left.Round(time.Second), l.run.cfg.MaxWait)}
	}
	return l.wait(ctx, l.blocked, "for Retry-After")
}
