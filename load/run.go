// Package load tests by requests that each plan is limited as the interface says, and that a compliant client is
// accepted (Limits / Rate limits by plan).
//
// Run sends and records, and judges nothing. Judge reads a recording and sends nothing, so the verdict of a run can be
// computed again from its file. Plan returns what a run will send and how long it will take.
//
// "60 requests per minute" does not name a kind of limiter. Package limiter has every lawful kind, and finds those that
// explain all responses to a key. No verdict depends on the kind. README.md shows, file by file, how one statement of
// the interface becomes a line of the report.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// run has what all keys of a run share.
type run struct {
	cfg       Config
	rec       *record.Recording
	collector *record.Collector
	transport http.RoundTripper
	// locks are those of the keys, while they are held.
	locks []*flock.Flock
	lanes []*lane
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
	r := &run{cfg: c, transport: c.Connect()}
	defer func() {
		for _, l := range r.locks {
			err = errors.Join(err, l.Unlock())
		}
	}()
	if err := r.begin(); err != nil {
		return nil, err
	}
	g, running := errgroup.WithContext(ctx)
	for i, l := range r.lanes {
		g.Go(func() (err error) {
			defer sender.Caught(&err)
			// Not all at once, which could overload the machine. If the run is stopped meanwhile, phases notes that none ran.
			_ = spec.Sleep(running, c.Minute*time.Duration(i)/time.Duration(max(len(r.lanes), startsApart)))
			return l.phases(running)
		})
	}
	err = g.Wait()
	return r.rec, errors.Join(err, r.end(cmp.Or(err, context.Cause(ctx))))
}

// startsApart is the part of a minute between the starts of two keys, 1/60, if they are not more than 60.
const startsApart = 60

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *record.Recording) (*verdict.Results, error) {
	return judge.Results(rec, judged(Phases()))
}

// begin takes the locks of the keys, opens the recording, and makes a lane for each key.
func (r *run) begin() error {
	c := &r.cfg
	c.Format, c.Kind, c.Target = record.Format, "load", strings.TrimRight(c.Base.String(), "/")
	c.Started, c.Filtered = time.Now(), c.Phases != nil
	r.rec = &record.Recording{Meta: c.Meta, Settings: record.Settings{Minute: c.Minute, Day: c.day(),
		ExpectLimits: !c.LimitsNotExpected, Phases: ids(c.planned), Shard: c.Shard, Shards: c.Shards}}
	for _, p := range c.Plans {
		held, err := lockKey(c.LockDir, c.Target, p.Key)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Label, err)
		}
		r.locks = append(r.locks, held)
		r.rec.Lanes = append(r.rec.Lanes, record.Lane{Label: p.Label, Plan: p.Plan.Name, PerMinute: p.Plan.PerMinute,
			PerDay: p.Plan.PerDay})
	}
	r.collector = record.NewCollector(r.rec, c.Recording)
	for i, p := range c.Plans {
		r.lanes = append(r.lanes, r.lane(i, p))
	}
	return r.collector.Flush()
}

// end completes the recording of a run that stopped early for a reason, if that is not nil.
func (r *run) end(why error) error {
	end := exchange.End{Ended: time.Now()}
	for _, l := range r.lanes {
		end.Waited += l.waited
	}
	if why != nil {
		end.Stopped = "the run was aborted: " + why.Error()
	}
	return r.collector.End(end)
}
