package load

import (
	"slices"
	"time"

	"petconform/load/record"
)

// Event is the state of one key, for the display of progress.
type Event struct {
	// Label names the key. Phase and Round are its present phase and round.
	Label string
	Phase record.Phase
	Round int
	// Doing says what the key is doing: "sending the plan's requests and one more", "waiting 41s for Retry-After".
	Doing string
	// Sent, Accepted and Refused count the key's requests so far.
	Sent, Accepted, Refused int
	// Limit and Remaining are from the headers of the newest response; -1 if it has none.
	Limit, Remaining int64
	// Waiting is the time until the next request during a wait; else 0.
	Waiting time.Duration
	// Left is an estimate of the time that the key still needs.
	Left time.Duration
	// Done says that the key has no further phase.
	Done bool
}

// estimate is what a key still waits for: the present wait or paced step, which ends at due; the steps of the round
// after it; the rounds of the phase after this one; and the later phases.
//
// A fresh allowance takes a window on every kind of limiter: on a fixed window the Retry-After before it, and on a
// bucket, whose Retry-After is short, a window without requests. So a round that spends an allowance takes a window.
type estimate struct {
	schedule             []PhaseSchedule
	phase                PhaseSchedule
	due                  time.Time
	steps, rounds, later time.Duration
}

// expect begins the estimate of a phase.
func (l *lane) expect(p record.Phase) {
	l.later = 0
	for _, s := range slices.Backward(l.schedule) {
		if l.phase = s; s.Phase == p {
			return
		}
		l.later += s.Usual
	}
}

// stepsLeft sets the estimate of the present step of a round, from now, of the steps after it, and of later rounds.
func (l *lane) stepsLeft(round int, now *Step, after []Step) {
	rounds := max(1, l.phase.Rounds)
	l.rounds = l.phase.Usual * time.Duration(max(0, rounds-round)) / time.Duration(rounds)
	l.due, _ = l.dueOf(now)
	waits := l.due.After(time.Now())
	if !waits {
		l.due = time.Now()
	}
	l.due, l.steps = l.due.Add(l.sends(now)), 0
	for _, s := range after {
		if s.If == nil {
			l.steps += s.Pause + l.sends(&s)
		}
	}
	comeBack := func(s Step) bool { return s.Wait == RetryAfter && s.Role == record.Probe }
	if !waits && !comeBack(*now) && slices.ContainsFunc(after, comeBack) {
		l.steps += l.run.cfg.Minute
	}
}

// sends returns how long the requests of a step take. The budget of a day is more than a target needs that does limit it.
func (l *lane) sends(s *Step) time.Duration {
	return min(s.Slow+s.Every*time.Duration(max(0, s.Budget-1)), max(l.phase.Usual, l.run.cfg.Minute))
}

// update changes the key's state and shows it.
func (l *lane) update(change func()) {
	change()
	l.run.show(l.event())
}

// event returns the key's present state, with the estimate of the time that is left.
func (l *lane) event() Event {
	e := l.now
	e.Left = max(0, time.Until(l.due)) + l.steps + l.rounds + l.later
	return e
}
