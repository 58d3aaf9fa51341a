package load

import (
	"context"
	"time"

	"github.com/gofrs/flock"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec/exchange"
)

// lane runs the phases of one key, one after the other.
type lane struct {
	run *run
	id  int
	key PlanKey
	// lock is held by the lane, and alone by the lane that uses the run's other key.
	lock, alone *flock.Flock
	// ban says that the key was given for the ban phase.
	ban bool
	// own sends with the key, and side with the run's other key.
	own, side *sender.Sender
	// runner is the state of the present round. doubt says that the result of a fill is unclear, filled is when the last
	// fill began, and oddOverloads is the number of overloads that accepted more or less than they should.
	runner       runner
	doubt        bool
	filled       time.Time
	oddOverloads int
	// numbered has the number of the last round of each phase.
	numbered map[record.Phase]int
	estimate

	// The rest is read and changed by one goroutine at a time: the lane's own, or during an attack the one whose response
	// the sender records.

	// now is the state of the key.
	now Event
	// newest is the response to the request that was sent last. refusal is the last 429, until a request is accepted that
	// was sent after it came.
	newest, refusal record.Record
	// begun is when the first request was sent, looked when the one was that showed a fresh allowance, and quiet when
	// the last attack ended.
	begun, looked, quiet time.Time
	// whole is X-RateLimit-Remaining of the first response from a fresh allowance, if it is less than Limit-1; else 0.
	whole int64
	// times are the last response times while no other request was in flight.
	times []time.Duration
	// waited is the time that the key has waited.
	waited time.Duration
	// exact says that a fill accepted exactly the plan's requests although a bucket would have gained at least 3, so
	// the limiter is not a bucket.
	exact bool

	// petID is an animal for getPet, and category one that a listing shows, or 0.
	petID    string
	category int64
	scarce   scarcity
}

// equip sets the senders. It needs the run's collector.
func (l *lane) equip() {
	c := &l.run.cfg
	keys := append([]exchange.Secret{l.key.Key, c.OtherKey}, c.Secrets...)
	l.own = &sender.Sender{Key: l.key.Key, Lane: l.id, Collector: l.run.collector,
		Clean:     exchange.NewRedactor(keys...).Sparing(l.run.rec.Meta.Target),
		Transport: l.run.transport, Timeout: c.Timeout, UserAgent: c.Tool + " (load)"}
	side := *l.own
	side.Key, side.Other = c.OtherKey, true
	l.side = &side
	l.now = Event{Label: l.key.Label, Limit: -1, Remaining: -1}
	l.scarce, l.numbered = scarcity{n: -1}, map[record.Phase]int{}
}

// start runs the key's phases, after a wait.
func (l *lane) start(ctx context.Context, after time.Duration) error {
	l.estimate = estimate{schedule: l.run.cfg.keySchedule(l.key, l.ban).Phases}
	_ = sleepUntil(ctx, time.Now().Add(after)) // if the run is stopped meanwhile, phases notes that none of them ran
	return l.phases(ctx)
}

// skip notes why a phase, and those that run within it, did not run.
func (l *lane) skip(p record.Phase, why string) {
	for _, one := range l.run.planned {
		if one.ID == p || one.Within == p {
			l.run.collector.Note(record.Note{Lane: l.id, Phase: one.ID, Why: why})
		}
	}
}

// learn updates the state of the key and of its round by a response to a step, and shows it.
func (l *lane) learn(s *Step, r *record.Record) {
	if l.now.Sent == 0 {
		l.begun = l.at(r.Sent)
	}
	l.now.Sent++
	if r.Sent >= l.newest.Sent {
		l.newest = *r
		if r.Limit != limiter.Absent && r.Remaining != limiter.Absent {
			l.now.Limit, l.now.Remaining = r.Limit, r.Remaining
		}
	}
	switch {
	case r.Limited():
		l.now.Refused++
		l.refusal = *r
	case r.Accepted():
		l.now.Accepted++
		if r.Sent >= l.refusal.Received() {
			l.refusal = record.Record{}
		}
		if s.Budget == 1 {
			l.times = append(l.times[max(0, len(l.times)+1-timesKept):], r.Done)
		}
	}
	switch all := &l.runner.all; s.Role {
	case record.Probe, record.AtReset:
		l.runner.probes++
	case record.Spend, record.Press:
		if all.sent == 0 { // the request that showed the fresh allowance has been spent too
			all.sent, all.accepted = 1, 1
		}
		all.add(r)
	}
	l.show()
}

// at returns the time, by this machine's clock, of an offset in a record.
func (l *lane) at(offset time.Duration) time.Time { return l.run.rec.Meta.Started.Add(offset) }

// drift says how much slower the target's clock may be than this machine's: by 1/5,000, which is 12 ms in a minute.
// Clocks usually differ by less than 1/10,000. A Retry-After that is rounded down is still found, since it is up to a
// second too short.
const drift = 5000

// blocked returns when the wait ends that the last 429 asks for, or a minute if its Retry-After can't be read; both plus
// drift. It is the zero time if there is no refusal.
func (l *lane) blocked() time.Time {
	if !l.refusal.Limited() {
		return time.Time{}
	}
	wait := l.refusal.RetryAfter
	if wait == limiter.Absent {
		wait = l.run.cfg.Minute
	}
	return l.at(l.refusal.Received()).Add(wait + wait/drift)
}

func (l *lane) ofMinute(r *record.Record) bool { return r.Of(l.key.Plan.PerMinute) }
