package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec/exchange"
)

// lane runs the phases of one key, one after the other.
type lane struct {
	run  *run
	id   int
	key  PlanKey
	lock *keyLock
	// ban says that the key was given for the ban phase.
	ban bool
	// own sends with the key, and side with the run's other key.
	own  *sender.Sender
	side *sender.Sender

	mu sync.Mutex
	// now is the state of the key, and shown the time of the last event while it was sending.
	now   Event
	shown time.Time
	// newest is the response to the request that was sent last. blocked is when the Retry-After of the last 429 ends;
	// it is zero after a later request was accepted.
	newest  record.Record
	blocked time.Time
	// resetTrue says that a request was accepted at the time in X-RateLimit-Reset.
	resetTrue bool
	// backOff says that the fills had no 429, so the backoff phase waits for the next one.
	backOff bool
	// begun is when the first request was sent, and quiet when the last attack ended.
	begun time.Time
	quiet time.Time
	// whole is X-RateLimit-Remaining of the first response from a fresh allowance, if it is less than Limit-1; else 0.
	whole record.Number
	// times are the last response times while no other request was in flight.
	times []time.Duration
	// exact says that a fill accepted exactly the plan's requests although a bucket would have gained at least 3, so
	// the limiter is not a bucket.
	exact bool
	// schedule is what was planned for the key. due is the estimated end of the last phase, and later the estimated
	// time of the phases after the present one.
	schedule []PhaseSchedule
	due      time.Time
	later    time.Duration

	petID string
	// category is one that a listing shows, or 0.
	category int64
	scarce   scarcity
}

// giveUp is the reason why a lane can't run the rest of its phases. The other lanes go on.
type giveUp struct{ why string }

func (g giveUp) Error() string { return g.why }

// equip sets the senders. It needs the run's collector and clock.
func (l *lane) equip() {
	c := &l.run.cfg
	base := l.run.rec.Meta.Target
	l.own = &sender.Sender{Base: base, Key: l.key.Key, Lane: l.id, Plan: l.key.Plan.Name,
		Clean:     exchange.NewRedactor(append([]exchange.Secret{l.key.Key, c.OtherKey}, c.Secrets...)...).Sparing(base),
		Transport: l.run.transport, Timeout: c.Timeout, UserAgent: c.Tool + " (load)",
		Clock: l.run.clock, Collector: l.run.collector,
		Fault: l.run.fault}
	side := *l.own
	side.Key, side.Other = c.OtherKey, true
	l.side = &side
	l.now = Event{Label: l.key.Label, Limit: -1, Remaining: -1}
}

// phases runs the key's phases. A phase that can't run is noted with the reason.
func (l *lane) phases(ctx context.Context) error {
	steps := slices.DeleteFunc(phases(), func(p phase) bool {
		return p.send == nil || !l.run.cfg.has(p.ID) || p.apart != l.ban && p.ID != record.Headers
	})
	begun := time.Now()
	for i, p := range steps {
		l.estimate(p.ID, begun)
		err := ctx.Err()
		if err == nil {
			err = p.send(l, ctx)
		}
		if err == nil {
			continue
		}
		var why giveUp
		if !errors.As(err, &why) {
			if ctx.Err() == nil {
				return err
			}
			why.why = "the run was aborted"
		}
		for _, rest := range steps[i:] {
			l.skip(rest.ID, why.why)
		}
		return nil
	}
	return nil
}

// start runs the key's phases, after a wait.
func (l *lane) start(ctx context.Context, after time.Duration) error {
	l.schedule = l.run.cfg.keySchedule(l.key, l.ban).Phases
	_ = sleepUntil(ctx, time.Now().Add(after)) // if the run is stopped meanwhile, phases notes that none of them ran
	err := l.phases(ctx)
	l.update(func() {
		l.now.Done, l.now.Doing, l.now.Waiting = true, "done", 0
		l.due, l.later = time.Time{}, 0
	})
	return err
}

// skip notes why a phase, and those that run within it, did not run.
func (l *lane) skip(p record.Phase, why string) {
	for _, one := range phases() {
		if (one.ID == p || one.within == p) && l.run.cfg.has(one.ID) {
			l.note(record.Note{Kind: record.Skipped, Phase: one.ID, Why: why})
		}
	}
}

// note adds a note of the lane, at the present time.
func (l *lane) note(n record.Note) {
	n.Lane, n.At = l.id, l.run.clock.Since(time.Now())
	l.run.collector.Note(n)
}

// began notes that a round of a phase begins.
func (l *lane) began(p record.Phase, round int, doing string) {
	l.note(record.Note{Kind: record.Began, Phase: p, Round: round})
	l.update(func() { l.now.Phase, l.now.Round, l.now.Doing, l.now.Waiting = p, round, doing, 0 })
}

func (l *lane) ended(p record.Phase, round int) {
	l.note(record.Note{Kind: record.Ended, Phase: p, Round: round})
}

// wait sleeps until a time, and shows the reason as the state of the key.
func (l *lane) wait(ctx context.Context, until time.Time, why string) error {
	d := time.Until(until)
	if d <= 0 {
		return ctx.Err()
	}
	l.update(func() { l.now.Doing, l.now.Waiting = fmt.Sprintf("waiting %s %s", d.Round(time.Millisecond), why), d })
	l.run.mu.Lock()
	l.run.waited += d
	l.run.mu.Unlock()
	return sleepUntil(ctx, until)
}

const (
	// usualShare is the part of its Longest that a run usually takes: 0.45. Runs took 9 to 14 of 26 minutes on most
	// kinds of limiter, and 22 on a sliding counter.
	usualShare = 0.45
	// usualWeight is the part of the schedule after which the measured share and usualShare have equal weight: 1/4.
	usualWeight = 0.25
)

// estimate sets due and later as the phase p begins. The phases before p show which part of Longest this target takes.
func (l *lane) estimate(p record.Phase, begun time.Time) {
	at := slices.IndexFunc(l.schedule, func(s PhaseSchedule) bool { return s.Phase == p })
	if at < 0 {
		return
	}
	var done, whole time.Duration
	for i, s := range l.schedule {
		if whole += s.Longest; i < at {
			done = whole
		}
	}
	prior := usualWeight * float64(whole)
	share := (usualShare*prior + float64(time.Since(begun))) / (prior + float64(done))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due, l.later = time.Now(), 0
	for i, s := range l.schedule[at:] {
		takes := max(s.Fastest, time.Duration(share*float64(s.Longest)))
		l.due = l.due.Add(takes)
		if i > 0 {
			l.later += takes
		}
	}
}

// update changes the key's state and shows it.
func (l *lane) update(change func()) {
	l.mu.Lock()
	change()
	e := l.event()
	l.mu.Unlock()
	l.run.show(e)
}

// event returns the key's present state, with the estimate of the time that is left. l.mu is held.
func (l *lane) event() Event {
	e := l.now
	e.Left = max(time.Until(l.due), l.later)
	return e
}
