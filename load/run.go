// Package load tests by requests that each plan is limited as the interface says, and that a compliant client is
// accepted (Limits / Rate limits by plan).
//
// Run sends and records, and judges nothing. Judge reads a recording and sends nothing, so the verdict of a run can be
// computed again from its file. Plan returns what a run will send and how long it will take.
//
// "60 requests per minute" does not name a kind of limiter. Package limiter has every lawful kind, and finds those that
// explain all responses to a key. No verdict depends on the kind. README.md shows, file by file, how one statement of
// the interface becomes a line of the report.
//
// The heavy tests, in this order: every kind of limiter, every deviation of limits and every freedom, twenty times
// each, in simulated time; the three plans in real minutes; the sender beside vegeta; and the judge on a day of Business:
//
//	go test ./load -run 'EveryDeviation|EveryKind|EveryFreedom' -timeout 1h -args -runs 20
//	go test ./load -run RealTimeSideBySide -v -timeout 1h -args -real
//	go test ./load/sender -run '^$' -bench AgainstVegeta -benchtime 11x
//	go test ./load/judge -run '^$' -bench DayOfBusiness -benchtime 3x
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// run has what all keys of a run share.
type run struct {
	cfg       Config
	planned   []Phase
	rec       *record.Recording
	collector *record.Collector
	transport http.RoundTripper
}

// Run sends what Plan says and records it. It judges nothing. When ctx ends, it sends nothing more, waits for
// requests in flight, and notes in the recording that it was stopped; that is not an error. An error without a
// recording means that there is nothing to judge: a wrong configuration, or a key that another process uses. An error
// with one means that the run ended early, as the recording says, or that the recording could not be written to
// Config.Recording.
func Run(ctx context.Context, cfg Config) (_ *record.Recording, err error) {
	c, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	r, lanes, err := c.begin()
	defer func() {
		for _, l := range lanes {
			err = errors.Join(err, l.lock.Unlock())
		}
	}()
	if err != nil {
		return nil, err
	}
	g, running := errgroup.WithContext(ctx)
	for i, l := range lanes {
		g.Go(func() error { return l.start(running, stagger(i, len(lanes), c.Minute)) })
	}
	err = g.Wait()
	return r.rec, errors.Join(err, r.end(cmp.Or(err, context.Cause(ctx)), lanes))
}

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *record.Recording) (*verdict.Results, error) {
	var known []judge.Phase
	for _, p := range Phases() {
		known = append(known, p.Phase)
	}
	return judge.Results(rec, known)
}

// startTogether is the largest number of keys that start at the same time: 8. Bursts of more could overload the
// machine.
const startTogether = 8

// stagger returns the wait before the start of key i of n. It spreads the starts of more than startTogether keys over a
// minute.
func stagger(i, n int, minute time.Duration) time.Duration {
	if n <= startTogether {
		return 0
	}
	return minute * time.Duration(i) / time.Duration(n)
}

// begin takes the locks of the keys, opens the recording, and returns the run with a lane for each key. With an error it
// returns the lanes whose locks it took.
func (c *Config) begin() (r *run, lanes []*lane, err error) {
	r = &run{cfg: *c, planned: c.planned(), transport: c.Connect()}
	c.Format, c.Kind, c.Target = record.Format, "load", strings.TrimRight(c.Base.String(), "/")
	c.Started, c.Filtered = time.Now(), c.Phases != nil
	r.rec = &record.Recording{Meta: c.Meta, Settings: record.Settings{Minute: c.Minute, Day: c.day(),
		ExpectLimits: !c.LimitsNotExpected, Phases: ids(c.planned()), Shard: c.Shard, Shards: c.Shards}}
	for i, p := range c.keys() {
		held, err := lockKey(c.LockDir, r.rec.Meta.Target, p.Key)
		if err != nil {
			return nil, lanes, fmt.Errorf("%s: %w", p.Label, err)
		}
		r.rec.Lanes = append(r.rec.Lanes, record.Lane{Label: p.Label, Plan: p.Plan.Name, PerMinute: p.Plan.PerMinute,
			PerDay: p.Plan.PerDay})
		lanes = append(lanes, &lane{run: r, id: i, key: p, lock: held, ban: i == len(c.Plans),
			alone: keyLock(c.LockDir, "other", r.rec.Meta.Target, c.OtherKey)})
	}
	r.collector = record.NewCollector(r.rec, c.Recording)
	for _, l := range lanes {
		l.equip()
	}
	return r, lanes, r.collector.Err()
}

// keys returns the keys of the plans, and behind them the ban key.
func (c *Config) keys() []PlanKey {
	if c.ProvokeBan {
		return append(c.Plans[:len(c.Plans):len(c.Plans)], c.BanKey)
	}
	return c.Plans
}

// end completes the recording of a run that stopped early for a reason, if that is not nil.
func (r *run) end(why error, lanes []*lane) error {
	end := exchange.End{Ended: time.Now()}
	for _, l := range lanes {
		end.Waited += l.waited
	}
	if why != nil {
		end.Stopped = "the run was aborted: " + why.Error()
	}
	return r.collector.End(end)
}

func sleepUntil(ctx context.Context, t time.Time) error {
	if left := time.Until(t); left > 0 {
		return spec.Sleep(ctx, left)
	}
	return ctx.Err()
}
