package conformance

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Config is what a conformance run needs to know.
type Config struct {
	Base *url.URL
	Key  exchange.Secret
	// Selection is what is sent and judged; see Select.
	Selection Selection
	// CategoryID is a category that exists on the target.
	CategoryID int64
	ReadOnly   bool
	// MaxCreates bounds the animals that the run creates; the service has no delete.
	MaxCreates int
	// MaxRequests bounds the requests in all; 0 means no bound.
	MaxRequests int
	// Concurrency is how many checks send at a time.
	Concurrency int
	// AsOf is the time that dated requirements are judged by.
	AsOf   time.Time
	Strict bool
	// Seed makes the run's choices; Run names it and the animals that it creates.
	Seed uint64
	Run  string
	// Patience is how long is asked again for what a replica does not show yet.
	Patience time.Duration
	// Timeout, MaxWait and Transport are the client's.
	Timeout, MaxWait time.Duration
	Transport        http.RoundTripper
	// Reference, Build and Environment say what the target is, for the report.
	Reference          bool
	Build, Environment string
	// Tool names petconform and its version.
	Tool string
	// Recording takes the recording as it grows; nil keeps it in memory alone.
	Recording io.Writer
	// Progress is told of each step of the run, from several goroutines; it may be nil.
	Progress func(Event)
}

// Event is a step of a run.
type Event struct {
	// Requests and Planned are sent and planned requests; Checks and Of are checks whose sending is through, and all.
	Requests, Planned int
	Checks, Of        int
	// Waiting says why the run stands still, and for how long.
	Waiting string
	Wait    time.Duration
}

// Defaults of Config.
const (
	DefaultConcurrency = 8
	DefaultMaxCreates  = 30
	DefaultPatience    = 10 * time.Second
	DefaultCategoryID  = 1
)

// run is a conformance run under way.
type run struct {
	cfg           Config
	client        *client.Client
	keyHasLetters bool

	mu       sync.Mutex
	all      []exchange.Exchange
	read     map[string][]history.Exchange
	creates  int
	made     int // animals created, wanted or not
	posting  int // createPet requests under way
	finished int
	skipped  map[string]string
}

// Send sends what the selection asks for and returns the recording. The error, when there is one, says what ended the run
// before it was through; the recording is whole all the same, up to there.
func Send(ctx context.Context, cfg Config) (*exchange.Recording, error) {
	r := &run{cfg: cfg, creates: cfg.MaxCreates, read: map[string][]history.Exchange{}, skipped: map[string]string{},
		keyHasLetters: exchange.SwapCase(cfg.Key.Reveal()) != cfg.Key.Reveal()}
	rec := &exchange.Recording{Meta: r.meta()}
	out := cfg.Recording
	if out == nil {
		out = io.Discard
	}
	w, err := exchange.NewWriter(out, rec.Meta)
	if err != nil {
		return nil, err
	}
	rec.Meta.Format = exchange.Format
	r.client, err = client.New(client.Config{Base: cfg.Base, Key: cfg.Key, Transport: cfg.Transport, Timeout: cfg.Timeout,
		MaxWait: cfg.MaxWait, MaxRequests: cfg.MaxRequests, UserAgent: cfg.Tool, Waiting: r.waiting,
		Record: func(x exchange.Exchange) error {
			r.keep(x)
			return w.Write(x)
		}})
	if err != nil {
		return nil, err
	}
	stopped := r.send(ctx)
	rec.Exchanges = inOrder(r.all)
	rec.End = &exchange.End{Ended: time.Now().UTC(), Skipped: maps.Clone(r.skipped), Waited: r.client.Waited()}
	if stopped != nil {
		rec.End.Stopped = stopped.Error()
		if errors.Is(stopped, context.Canceled) {
			rec.End.Stopped = "interrupted"
		}
	}
	return rec, errors.Join(stopped, w.End(*rec.End))
}

func (r *run) meta() exchange.Meta {
	m := exchange.Meta{Kind: "check", Tool: r.cfg.Tool, Target: r.cfg.Base.String(), Reference: r.cfg.Reference,
		Build: r.cfg.Build, Environment: r.cfg.Environment, Run: r.cfg.Run, Seed: r.cfg.Seed,
		Started: time.Now().UTC(), AsOf: r.cfg.AsOf, CategoryID: r.cfg.CategoryID, ReadOnly: r.cfg.ReadOnly,
		Strict: r.cfg.Strict, Filtered: r.cfg.Selection.Filtered}
	for _, c := range r.cfg.Selection.Judged {
		m.Planned = append(m.Planned, c.ID)
	}
	for _, rule := range r.cfg.Selection.Rules {
		m.Planned = append(m.Planned, rule.ID)
	}
	if r.cfg.Selection.Explore > 0 {
		m.Planned, m.Settings = append(m.Planned, explore.CheckID), explore.Settings(r.patience())
	}
	return m
}

// send looks at the target first, then sends the checks side by side, each after those that it reads.
func (r *run) send(ctx context.Context) error {
	r.sendOne(ctx, listAll)
	if err := r.preflight(ctx); err != nil {
		return err
	}
	done := map[string]chan struct{}{}
	for _, c := range r.cfg.Selection.Sent {
		done[c.ID] = make(chan struct{})
	}
	var first, last sync.WaitGroup
	slots := make(chan struct{}, max(1, r.cfg.Concurrency))
	launch := func(group *sync.WaitGroup, c Check, before func()) {
		group.Go(func() {
			defer close(done[c.ID])
			before()
			for _, id := range c.After {
				if ch, sent := done[id]; sent {
					<-ch
				}
			}
			if c.ID == listAll.ID {
				return // sent already
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			r.sendOne(ctx, c)
		})
	}
	for _, c := range r.cfg.Selection.Sent {
		if !c.Last {
			launch(&first, c, func() {})
		}
	}
	// After them: a wait for a group that is still empty would be over at once, and the last looks would come first.
	for _, c := range r.cfg.Selection.Sent {
		if c.Last {
			launch(&last, c, first.Wait)
		}
	}
	first.Wait()
	last.Wait()
	err := r.explore(ctx)
	return cmp.Or(r.client.Err(), context.Cause(ctx), err)
}

// sendOne sends one check, within the budget of creations.
func (r *run) sendOne(ctx context.Context, c Check) {
	s := &Sender{ctx: ctx, check: c.ID, run: r, Rand: rand.New(rand.NewPCG(r.cfg.Seed, hash(c.ID)))}
	switch {
	case ctx.Err() != nil || c.Send == nil:
	case c.Creates > 0 && !r.takeCreates(c.Creates):
		s.Skip("its creations would go beyond --max-creates")
	default:
		before := r.createdBy(c.ID)
		c.Send(s)
		if c.Creates > 0 {
			r.giveBack(c.Creates - (r.createdBy(c.ID) - before))
		}
	}
	r.mu.Lock()
	r.finished++
	if s.skipped != "" {
		r.skipped[c.ID] = s.skipped
	}
	r.mu.Unlock()
	r.progress(Event{})
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return h.Sum64()
}

// keep notes an exchange as it ends.
func (r *run) keep(x exchange.Exchange) {
	r.mu.Lock()
	r.all = append(r.all, x)
	r.read[x.Check] = append(r.read[x.Check], history.ReadExchange(x))
	if x.Operation == spec.CreatePet && x.Status()/100 == 2 {
		r.made++
	}
	r.mu.Unlock()
	r.progress(Event{})
}

func (r *run) progress(e Event) {
	if r.cfg.Progress == nil {
		return
	}
	r.mu.Lock()
	e.Requests, e.Checks, e.Of = len(r.all), r.finished, len(r.cfg.Selection.Sent)
	r.mu.Unlock()
	for _, c := range r.cfg.Selection.Sent {
		e.Planned += c.Requests
	}
	e.Planned += r.cfg.Selection.Explore
	r.cfg.Progress(e)
}

func (r *run) waiting(why string, wait time.Duration) { r.progress(Event{Waiting: why, Wait: wait}) }

func (r *run) sentBy(check string) []history.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]history.Exchange(nil), r.read[check]...)
}

// created gives the animals created so far, in the order of sending.
func (r *run) created() []history.Creation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return history.Of(&exchange.Recording{Exchanges: inOrder(r.all)}).Created()
}

func (r *run) createdBy(check string) int {
	n := 0
	for _, x := range r.sentBy(check) {
		if _, ok := x.Pet(); ok && x.Request.Method == http.MethodPost {
			n++
		}
	}
	return n
}

func (r *run) takeCreates(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cfg.ReadOnly || n > r.creates {
		return false
	}
	r.creates -= n
	return true
}

func (r *run) giveBack(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.creates += max(0, n)
}
