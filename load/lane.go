package load

import (
	"fmt"
	"time"

	"github.com/gofrs/flock"

	"petconform/load/judge"
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
	// other is the lock of the run's other key.
	other *flock.Flock
	// own sends with the key, and side with the run's other key.
	own, side *sender.Sender
	// round is the state of the present round, and before that of the one before. rounds is the number of all rounds so far.
	round, before round
	rounds        int
	// due is the end of the present wait, and ends when the key has usually run its phases. later is the time that those
	// after the present one usually take.
	due, ends time.Time
	later     time.Duration
	// waited is the time that the key has waited.
	waited time.Duration

	// The rest is read and changed by one goroutine at a time: the lane's own, or during an attack the one whose response
	// the sender records.

	// now is the state of the key, and records are its requests so far.
	now     Event
	records []*record.Record
	// newest is the response to the request that was sent last. refusal is the last 429, until a request is accepted that
	// was sent after it came.
	newest, refusal record.Record
	// quiet is when the last attack ended.
	quiet time.Time
	// whole is X-RateLimit-Remaining of the newest response after two windows without requests; 0 if there is none.
	whole int64
	// times are the last response times while no other request was in flight.
	times []time.Duration
	// silent is the number of the last requests that got no response.
	silent int

	// petID is an animal for getPet, and category one that the target has, or 0. scarce is how many animals a listing of
	// those that are scarce has, or -1 if none could be read.
	petID    string
	category int64
	scarce   int
}

// lane returns the lane of a key, by its index in the recording. It needs the run's collector.
func (r *run) lane(id int, key PlanKey) *lane {
	c := &r.cfg
	keys := append([]exchange.Secret{key.Key, c.OtherKey}, c.Secrets...)
	own := &sender.Sender{Key: key.Key, Lane: id, Collector: r.collector,
		Clean:     exchange.NewRedactor(keys...).Sparing(c.Target),
		Transport: r.transport, Timeout: c.Timeout, UserAgent: c.Tool + " (load)"}
	side := *own
	side.Key, side.Other = c.OtherKey, true
	return &lane{run: r, id: id, key: key, own: own, side: &side,
		other: keyLock(c.LockDir, "other", c.Target, c.OtherKey), now: Event{Label: key.Label}, scarce: -1}
}

// skip notes why a phase, and those that run within it, did not run.
func (l *lane) skip(p record.Phase, why string) {
	for _, one := range l.run.cfg.planned {
		if one.ID == p || one.Within == p {
			l.run.collector.Note(record.Note{Lane: l.id, Phase: one.ID, Why: why})
		}
	}
}

// unclear reports whether a round of the present phase so far did not end as planned.
func (l *lane) unclear() bool {
	return judge.Begun(l.run.rec, l.id, judged(l.run.cfg.planned), l.records).Unclear(l.round.phase)
}

// learn updates the state of the key and of its round by a response to a step, and shows it.
func (l *lane) learn(s *Step, r *record.Record) {
	l.records = append(l.records, r)
	if r.Role == record.Spend && l.round.began == 0 {
		l.round.began = l.newest.Sent
	}
	if l.now.Sent++; r.Sent >= l.newest.Sent {
		l.newest = *r
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
	if r.Role == record.Look && s.Pause >= l.windows(2) && r.Accepted() && l.ofMinute(r) {
		l.whole = r.Remaining
	}
	if l.petID == "" || r.Role == record.Search {
		l.meet(r)
	}
	l.show()
}

// at returns the time, by this machine's clock, of an offset in a record.
func (l *lane) at(offset time.Duration) time.Time { return l.run.rec.Meta.Started.Add(offset) }

// refused reports whether no request was accepted after the last 429.
func (l *lane) refused() bool { return l.refusal.Limited() }

// drift says how much slower the target's clock may be than this machine's: by 1/5,000, which is 12 ms in a minute.
// Clocks usually differ by less than 1/10,000. A Retry-After that is rounded down is still found, since it is up to a
// second too short.
const drift = 5000

// blocked returns when the wait ends that the last 429 asks for, or a minute if its Retry-After can't be read; both plus
// drift. It is the zero time if there is no refusal.
func (l *lane) blocked() time.Time {
	if !l.refused() {
		return time.Time{}
	}
	wait := l.refusal.RetryAfter
	if wait == limiter.Absent {
		wait = l.run.cfg.Minute
	}
	return l.at(l.refusal.Received()).Add(wait + wait/drift)
}

func (l *lane) ofMinute(r *record.Record) bool { return r.Of(l.key.Plan.PerMinute) }

func (l *lane) limit() int { return int(l.key.Plan.PerMinute) }

// Event is the state of one key, for the display of progress.
type Event struct {
	// Label names the key. Phase and Round are its present phase and round.
	Label string
	Phase record.Phase
	Round int
	// Doing says what the key is doing: "sending the plan's requests and one more", "waiting 41s before
	// asking again after Retry-After".
	Doing string
	// Sent, Accepted and Refused count the key's requests so far.
	Sent, Accepted, Refused int
	// Left is an estimate of the time that the key still needs: the rest of the present wait, or what its phases usually
	// take.
	Left time.Duration
}

// show passes the key's state to Config.Progress, with the estimate of the time that is left.
func (l *lane) show() {
	if l.run.cfg.Progress == nil {
		return
	}
	e, wait := l.now, time.Until(l.due)
	if wait > 0 {
		e.Doing = fmt.Sprintf("waiting %s before %s", wait.Round(time.Millisecond), e.Doing)
	}
	e.Left = max(0, wait, time.Until(l.ends))
	l.run.cfg.Progress(e)
}
