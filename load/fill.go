package load

import (
	"context"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func fillPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Fill, Title: "The plan's requests are accepted, and the next one is answered 429",
			Proves: []spec.ID{"RATE-6", "RATE-7"}, Judge: judge.Fill},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			most := c.mostFills()
			one := PhaseSchedule{Requests: (fillRounds + 1) * (fewLooks + c.limit + 1 + refills/2 + 1),
				Most: most*(mostLooks+mostOfBurst(c.limit)) + (most-fillRounds)*watchLooks, Longest: 3*c.Minute + c.Minute/8}
			if c.Quick {
				one.Requests, one.Longest = one.Requests*quickFills/(fillRounds+1), (quickFills-1)*c.Minute+c.Minute/8
			}
			return one
		},
		send: (*lane).fill,
	}
}

const (
	// fillRounds is how many fills a run has: 2. After an unclear result there are more, up to mostFills, since a
	// finding needs two cases.
	fillRounds = 2
	mostFills  = 5
	// quickFills is how many fills a quick run has, each of which ends with a trial of Retry-After: 4. A Retry-After
	// that is rounded down is refused in about half of the trials, and a finding needs two.
	quickFills = 4
	// watchLooks is how often the headers are read in the window between two unclear fills: 12 times.
	watchLooks = 12
	// refills is the gain of a bucket during a slow fill, in half tokens: 11, which is 5.5 tokens. A fast and a slow
	// fill distinguish a bucket from a limit that is 5 too high: only a bucket accepts more requests if the fill takes
	// longer. The number is odd, so that the fill does not end when the bucket gains a whole token.
	refills = 11
)

// mostFills returns the largest number of fills of a run.
func (c *Config) mostFills() int {
	if c.Quick {
		return quickFills
	}
	return mostFills
}

// filled is what the lane needs to know of a fill to decide what to send next. Package judge gives the verdict.
type filled struct {
	// sent and accepted include the request that showed the fresh window.
	sent      int
	accepted  int
	began     time.Time
	took      time.Duration
	limited   bool
	recovered bool
}

func (f *filled) count(records []record.Record) {
	f.sent += len(records)
	for i := range records {
		f.limited = f.limited || records[i].Limited()
		if records[i].Accepted() {
			f.accepted++
		}
	}
}

// gains returns how many requests a bucket gained during the fill.
func (f *filled) gains(limit int, minute time.Duration) float64 {
	return float64(limit) * float64(f.took) / float64(minute)
}

// asPlanned reports whether a fill accepted exactly the plan's requests, or as many more as a bucket gained, at most 2
// fewer. It does not allow for a bucket once a fill was exact although a bucket would have gained at least 3 requests.
func (l *lane) asPlanned(f *filled) bool {
	limit, minute := int(l.key.Plan.PerMinute), l.run.cfg.Minute
	extra, gain := float64(f.accepted-limit), f.gains(limit, minute)
	l.exact = l.exact || f.limited && extra == 0 && gain >= 3
	return f.limited && (extra == 0 || !l.exact && extra > 0 && extra >= gain-2 && extra <= gain)
}

// shortTenths is the time, in tenths of a minute, within which a second fill makes a third one necessary: 9. If the
// whole limit is available again that soon once, a clock's window may have ended; if twice, no limiter explains it.
const shortTenths = 9

// fill spends fresh allowances and recovers after each. It adds a fill if a result is unclear, or if the whole limit
// was available again within shortTenths.
func (l *lane) fill(ctx context.Context) error {
	doubt := false
	var last time.Time
	most, begun := l.run.cfg.mostFills(), l.at(l.newest.Sent)
	for round := 1; round <= most; round++ {
		if l.run.cfg.Quick && round > 1 && !l.againInTime(begun) {
			return nil
		}
		l.began(record.Fill, round, "sending the plan's requests and one more")
		out, err := l.burst(ctx, round, round%2 == 0)
		l.ended(record.Fill, round)
		if err != nil {
			return err
		}
		switch {
		case l.run.cfg.Quick && out.limited:
			if err := l.recover(ctx, round); err != nil {
				return err
			}
			continue
		case l.run.cfg.Quick && round > 1:
			return nil
		case out.limited:
			if err := l.comeBackFrom(ctx, round, &out); err != nil {
				return err
			}
		case round == fillRounds:
			l.backOff = true
			l.skip(record.Recover, "there was no 429 to recover from")
			l.skip(record.Backoff, "there was no 429 to back off from")
			return nil
		}
		doubt = doubt || !out.recovered || !l.asPlanned(&out)
		short := !last.IsZero() && out.began.Sub(last) < l.run.cfg.Minute*shortTenths/10
		last = out.began
		if round >= fillRounds && (!doubt && !short || round == most) {
			return nil
		}
		if round >= fillRounds && doubt {
			if err := l.watch(ctx, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// quickWindows is how many windows a quick run may take until its last fill begins: 4.1. The fill takes a tenth of a
// window.
const quickWindows = quickFills + 0.1

// againInTime reports whether a quick run has time to wait for another fresh allowance.
func (l *lane) againInTime(begun time.Time) bool {
	at := time.Now()
	if !l.untouched() {
		at = l.quiet.Add(l.edge())
	}
	return at.Sub(begun) < time.Duration(quickWindows*float64(l.run.cfg.Minute))
}

// comeBackFrom recovers from the 429 of a fill: after odd fills by waiting for Retry-After, after even fills with
// backoff.
func (l *lane) comeBackFrom(ctx context.Context, round int, out *filled) error {
	before := l.now.Sent
	var err error
	if round%2 == 1 {
		err = l.recover(ctx, round)
	} else {
		err = l.backoff(ctx, round)
	}
	out.recovered = err == nil && l.newest.Accepted() && l.now.Sent <= before+1
	return err
}

// burst sends one fill.
func (l *lane) burst(ctx context.Context, round int, slow bool) (filled, error) {
	if err := l.fresh(ctx, record.Fill, round); err != nil {
		return filled{}, err
	}
	return l.spend(ctx, sender.Attack{Phase: record.Fill, Round: round, Next: lists(record.Spend), Each: odd(3)}, 1, slow)
}

// looked returns when the request that showed a fresh allowance was sent. A full bucket gains nothing before that.
func (l *lane) looked() time.Time { return l.at(l.newest.Sent) }

// watch reads the headers watchLooks times during a window, and sends nothing else. If Remaining falls by more than one
// between two requests, someone else uses the key. Then watch pauses.
func (l *lane) watch(ctx context.Context, round int) error {
	if err := l.obey(ctx); err != nil {
		return err
	}
	for i := range watchLooks {
		if i > 0 {
			if err := l.wait(ctx, time.Now().Add(l.run.cfg.Minute/watchLooks), "to see whether someone else uses the key"); err != nil {
				return err
			}
		}
		if err := l.obey(ctx); err != nil {
			return err
		}
		if _, err := l.one(ctx, record.Fill, round, list(record.Look)); err != nil {
			return err
		}
	}
	// The next fill begins at another second of the minute, since all fills before may have crossed the end of a
	// clock's window.
	return l.pause(ctx, l.run.cfg.Minute*time.Duration(round)*29/100)
}

// pause sends nothing for 2.02 windows and while, after which no kind of limiter counts earlier requests.
func (l *lane) pause(ctx context.Context, while time.Duration) error {
	l.newest = record.Record{N: l.newest.N} // so that fresh does not rely on its headers
	return l.wait(ctx, l.quiet.Add(2*l.edge()+while), "for a window without requests")
}

// odd returns a function for Attack.Each that ends an attack after most responses in a row that are neither Accepted
// nor a 429: the target refuses in another way.
func odd(most int) func(*record.Record) bool {
	n := 0
	return func(r *record.Record) bool {
		if n++; !r.Unsure() {
			n = 0
		}
		return n < most
	}
}
