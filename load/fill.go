package load

import (
	"context"
	"math"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
)

const (
	// fillRounds are gone through in any case, and up to mostFills when they leave a doubt: what is failed has to have
	// been seen more than once.
	fillRounds = 2
	mostFills  = 5
	// watchLooks is how many times the headers are read between two fills that left a doubt, over a window.
	watchLooks = 12
	// refills is how many halves of a request a bucket gains during a slow fill. A quick fill and a slow one tell a bucket
	// from a limit that is off by a few: only a bucket lets more through the longer it takes. The number is odd, so that
	// the fill does not end just when a whole token has come.
	refills = 11
)

// filled is what a fill came to, as far as the sender has to know it. The verdict is the judge's.
type filled struct {
	// accepted counts the look that showed the fresh window as well.
	accepted  int
	began     time.Time
	took      time.Duration
	limited   bool
	recovered bool
}

func (f *filled) count(records []record.Record) {
	for i := range records {
		f.limited = f.limited || records[i].Limited()
		if records[i].Accepted() {
			f.accepted++
		}
	}
}

// asPlanned says whether as many came through as the plan has, or as a bucket of it lets through.
func (f *filled) asPlanned(limit int, minute time.Duration) bool {
	extra := float64(f.accepted - limit)
	return f.limited && extra >= 0 && extra <= float64(limit)*float64(f.took)/float64(minute)
}

// fill spends fresh allowances and comes back after each. Where the whole limit is back before a minute is over, as at the
// edge of a window on the clock, it goes on: the next one must not be back as soon.
func (l *lane) fill(ctx context.Context) error {
	doubt := false
	var last time.Time
	for round := 1; round <= mostFills; round++ {
		l.began(record.Fill, round, "filling the allowance and one beyond")
		out, err := l.burst(ctx, round, round%2 == 0)
		l.ended(record.Fill, round)
		if err != nil {
			return err
		}
		if out.limited {
			if err := l.comeBackFrom(ctx, round, &out); err != nil {
				return err
			}
		} else if round == fillRounds {
			l.skip(record.Recover, "no 429 came that a client could recover from")
			l.skip(record.Backoff, "no 429 came that a client could back off from")
			return nil
		}
		doubt = doubt || !out.recovered || !out.asPlanned(int(l.key.Plan.PerMinute), l.run.cfg.Minute)
		short := !last.IsZero() && out.began.Sub(last) < l.run.cfg.Minute*9/10
		last = out.began
		if round >= fillRounds && (!doubt && !short || round == mostFills) {
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

// comeBackFrom comes back after a fill, by turns as soon as it is allowed and as a compliant client does.
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

// burst sends until the first 429, or until twice the plan has come through.
func (l *lane) burst(ctx context.Context, round int, slow bool) (filled, error) {
	if err := l.fresh(ctx, record.Fill, round); err != nil {
		return filled{}, err
	}
	limit := int(l.key.Plan.PerMinute)
	a := sender.Attack{Phase: record.Fill, Round: round, Next: lists(record.Spend), Gate: &sender.Gate{}, Each: odd(3)}
	begun := l.looked()
	out := filled{accepted: 1, began: begun}
	for i, part := range l.parts(limit, 1) {
		a.Interval = 0
		if slow && i == 0 { // the end is quick again: what an answer says is left is compared with what comes right after
			a.Interval = refills * l.run.cfg.Minute / time.Duration(2*limit*part.budget)
		}
		a.Budget, a.Workers = part.budget, part.workers
		records, err := l.send(ctx, a)
		out.count(records)
		out.took = time.Since(begun)
		if err != nil || out.limited || len(records) < part.budget {
			return out, err
		}
	}
	return out, nil
}

// looked is when the look that showed a fresh window was sent: what a bucket gains, it gains from then on.
func (l *lane) looked() time.Time { return l.at(l.newest.Sent) }

// part is a stretch of a fill with so many requests under way at a time.
type part struct{ budget, workers int }

// parts divides a fill: side by side while the answers under way can't reach the limit, then one after the other past it, and
// side by side again when nothing stopped it, up to twice the plan. Where one connection is quick enough all goes one after
// the other, unless more are asked for: a limit that is counted by connection shall show in the mixed phase, and not here.
// Where answers are so slow that the window would be over before its limit is reached, a few are under way past it too:
// they are refused as well, and none of them is sent after a 429 that came.
func (l *lane) parts(limit, least int) []part {
	window := l.run.cfg.Minute
	workers := max(l.abreast(limit, window/20), least)
	if workers == 1 {
		most := limit * 4 / 5
		return []part{{most, 1}, {2*limit + 2 - most, 1}}
	}
	ahead := max(1, limit-3*workers)
	past := limit - ahead + 3*workers + limit/10
	return []part{{ahead, workers}, {past, min(l.abreast(limit-ahead, window/4), mostPast)}, {limit, workers}}
}

// mostPast is how many requests may be under way where the limit is reached: all of them may be refused, and a target may
// take five refusals for leave to ban the key.
const mostPast = 4

// abreast is how many requests have to be under way at a time to have so many answered within a time.
func (l *lane) abreast(requests int, within time.Duration) int {
	whole := l.took * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), l.run.cfg.Concurrency)
}

// watch reads the headers over a window in which nothing else is sent. Someone else's use of the key, also a steady one,
// shows as an allowance that moves by more than the one request.
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
	l.newest = record.Record{N: l.newest.N} // not fresh, whatever the headers say
	return l.wait(ctx, l.quiet.Add(2*l.edge()), "for a window that nothing was sent in")
}

// odd ends an attack after so many answers in a row that are neither a success nor a 429: a target that refuses in another
// way shall not be pressed on.
func odd(most int) func(*record.Record) bool {
	n := 0
	return func(r *record.Record) bool {
		if n++; !r.Unsure() {
			n = 0
		}
		return n < most
	}
}
