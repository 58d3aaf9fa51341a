package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Run is a run as its checks see it: what has been sent, and what may still be.
type Run struct {
	Config
	// Meta and Client are set before the first check is sent.
	Meta   exchange.Meta
	Client *client.Client
	// Began is the beginning of the run by the monotonic clock.
	Began time.Time

	mu       sync.Mutex
	read     map[string][]history.Exchange // by check
	sent     map[string]bool               // the checks that were sent or left out
	finished int
	skipped  map[string]string   // why a check sent nothing more
	gaveUp   map[string][]string // the steps that a check did not send for want of creations

	creates int // creations that are left of those that are wanted
	made    int // animals created, wanted or not
	posting int // createPet requests in flight

	impatient map[readKind]bool       // reads that lacked an animal until the patience ended
	agreed    map[spec.Operation]bool // operations whose reads were repeated although they lacked nothing any more
	turn      chan struct{}           // taken by the read that is sent again and again
	lagged    time.Duration           // the longest that a replica was seen to lag
	lag       sync.Once               // reports once that the run waits for a replica

	fault  *Fault
	cancel context.CancelCauseFunc
}

// Fault is a panic of petconform itself. A run with one has no verdict.
type Fault struct {
	Value any
	Stack string
}

// Error says that the run ended by a panic.
func (f *Fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.Value) }

// NewRun returns a run in which nothing has been sent.
func NewRun(cfg Config) *Run {
	return &Run{Config: cfg, Began: time.Now(), creates: cmp.Or(cfg.Wanted, cfg.MaxCreates), read: map[string][]history.Exchange{},
		sent: map[string]bool{}, skipped: map[string]string{}, gaveUp: map[string][]string{},
		impatient: map[readKind]bool{}, agreed: map[spec.Operation]bool{}, turn: make(chan struct{}, 1)}
}

// At converts a time for the recording: the beginning of the run plus the time since then by the monotonic clock. So it
// does not matter if the machine's clock is set during the run.
func (r *Run) At(t time.Time) time.Time { return r.Began.UTC().Add(t.Sub(r.Began)) }

// Since is how long ago a time of the recording is.
func (r *Run) Since(t time.Time) time.Duration { return r.At(time.Now()).Sub(t) }

// Context returns a context that ends when a check panics.
func (r *Run) Context(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, r.cancel = context.WithCancelCause(ctx)
	return ctx, r.cancel
}

// Send sends one check, once, within the budget of creations. A Send that panics ends the run.
func (r *Run) Send(ctx context.Context, c Check) {
	r.mu.Lock()
	again := r.sent[c.ID]
	r.sent[c.ID] = true
	r.mu.Unlock()
	if again || c.Send == nil || ctx.Err() != nil {
		return
	}
	s := r.Sender(ctx, c.ID)
	switch {
	case c.Gets && !s.Getting():
		s.Skip("getPet is removed by the day of the run")
	case c.Creates > 0 && !r.Take(c.Creates):
		s.Skip(beyondBudget)
	default:
		before := r.createdBy(c.ID)
		r.guard(c.ID, func() { c.Send(s) })
		if c.Creates > 0 {
			r.GiveBack(c.Creates - (r.createdBy(c.ID) - before))
		}
	}
	r.noteSkipped(s)
	r.mu.Lock()
	r.finished++
	r.mu.Unlock()
	r.progress(Event{})
}

func (r *Run) Sender(ctx context.Context, check string) *Sender {
	return &Sender{Run: r, ctx: ctx, check: check}
}

// guard calls a function of a check. A panic in it ends the run without a verdict. The process goes on and completes
// the recording.
func (r *Run) guard(check string, send func()) {
	defer func() {
		if p := recover(); p != nil {
			r.mu.Lock()
			r.fault = cmp.Or(r.fault, &Fault{fmt.Sprintf("sending %s: %v", check, p), string(debug.Stack())})
			r.mu.Unlock()
			if r.cancel != nil {
				r.cancel(r.fault)
			}
		}
	}()
	send()
}

// Fault returns the panic that ended the run; nil if there was none.
func (r *Run) Fault() *Fault {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault
}

// Keep notes an exchange as it ends.
func (r *Run) Keep(x exchange.Exchange) {
	parsed := history.ReadExchange(x)
	r.mu.Lock()
	r.read[x.Check] = append(r.read[x.Check], parsed)
	if x.Operation == spec.CreatePet && x.Status()/100 == 2 {
		r.made++
	}
	r.mu.Unlock()
	r.progress(Event{})
}

// History returns what has been sent so far, in the order of sending. No body is parsed again.
func (r *Run) History() *history.History {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := &exchange.End{Skipped: maps.Clone(r.skipped), GaveUp: maps.Clone(r.gaveUp)}
	return history.From(r.Meta, end, r.inOrder())
}

func (r *Run) inOrder() []history.Exchange {
	all := slices.Concat(slices.Collect(maps.Values(r.read))...)
	slices.SortFunc(all, func(a, b history.Exchange) int { return cmp.Compare(a.N, b.N) })
	return all
}

// parsed returns an exchange that was recorded.
func (r *Run) parsed(x exchange.Exchange) history.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, y := range slices.Backward(r.read[x.Check]) {
		if y.N == x.N {
			return y
		}
	}
	return history.ReadExchange(x)
}

func (r *Run) Sent(check string) []history.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.read[check])
}

// Done reports whether a check was sent or left out.
func (r *Run) Done(check string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent[check]
}

// LeaveOut notes that a check is not going to be sent, and why.
func (r *Run) LeaveOut(check, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[check], r.skipped[check] = true, why
}

func (r *Run) progress(e Event) {
	if r.Progress == nil {
		return
	}
	r.mu.Lock()
	for _, own := range r.read {
		e.Requests += len(own)
	}
	e.Checks = r.finished
	r.mu.Unlock()
	r.Progress(e)
}

func (r *Run) Waiting(why string, wait time.Duration) { r.progress(Event{Waiting: why, Wait: wait}) }
