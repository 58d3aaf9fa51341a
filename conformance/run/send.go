package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
)

// SendFor sends what a subject reads and the run has not sent yet. It returns false if the run has no such subject: a quick
// one has no generated sequences, and no check whose rows are all of a full run.
func (r *Run) SendFor(ctx context.Context, id string) bool {
	if !slices.Contains(r.plan.Judged, id) {
		p := PlanFor(r.Config, append(slices.Clone(r.plan.Judged), id))
		if !slices.Contains(p.Judged, id) {
			return false
		}
		r.plan, r.complete = p, false
	}
	r.SendPlan(ctx)
	return true
}

// SendPlan sends the rows of the plan that have not been sent, phase by phase, and asks again what disagrees.
func (r *Run) SendPlan(ctx context.Context) {
	if r.end != nil || r.stopped != nil || r.complete {
		return
	}
	r.complete = true
	before := r.client.Requests()
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	for p := plan.Found; p <= plan.Ending; p++ {
		if p == plan.Ending {
			r.guard("generated sequences", func() { r.explore(ctx) })
		}
		r.guard("a phase", func() { r.sendAll(ctx, p, r.requests(p)) })
		if p == plan.Created {
			r.guard("what is asked again", func() { r.settle(ctx, 0) })
		}
	}
	r.idle(before)
	if r.stopped = r.cause(ctx); r.stopped == nil {
		r.stopped = r.client.Confirm(ctx)
	}
}

// requests returns what a phase sends. What is open is left out where the other rows have used up the requests of a
// quick run.
func (r *Run) requests(p plan.Phase) []plan.Request {
	s := r.state()
	switch p {
	case plan.Parting:
		return s.PartsToSend(r.plan.Sent)
	case plan.Created:
		// The ids to ask for one by one in a store that no listing shows whole, if requests are left for all of them.
		s.Unlisted = model.Of(s.History).Unlisted(max(0, r.left(s, p)))
	}
	all := s.Requests(r.plan.Sent, p, r.full())
	if !slices.ContainsFunc(all, func(q plan.Request) bool { return q.Spare }) {
		return all
	}
	spare := r.left(s, p)
	return slices.DeleteFunc(all, func(q plan.Request) bool {
		if !q.Spare || r.full() || r.sent[q.Name()] {
			return false
		}
		if spare--; spare >= 0 {
			return false
		}
		r.skipped[q.Check] = "a quick run spends its requests on what is not open; --deep sends them all"
		return true
	})
}

// left is how many requests the size of the run leaves beside those that are due.
func (r *Run) left(s *plan.State, from plan.Phase) int {
	most := plan.QuickRequests
	if r.full() {
		most = plan.MostRequests
	}
	return most - r.client.Requests() - r.due(s, from)
}

// due is how many requests the phases from one on send in any case.
func (r *Run) due(s *plan.State, from plan.Phase) (n int) {
	for p := from; p <= plan.Ending; p++ {
		for _, q := range s.Requests(r.plan.Sent, p, r.full()) {
			if !q.Spare && !r.sent[q.Name()] {
				n++
			}
		}
	}
	return n
}

// full reports whether full rows are sent.
func (r *Run) full() bool { return r.Deep && r.narrow() == "" }

// narrow says why a full run goes on as a quick one; "" if it does not.
func (r *Run) narrow() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.narrowed
}

// Sent is how many requests the run has sent.
func (r *Run) Sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

// state is what the run knows.
func (r *Run) state() *plan.State { return &plan.State{History: r.History()} }

// sendAll sends the requests of a phase side by side, or one after the other where their order counts.
func (r *Run) sendAll(ctx context.Context, p plan.Phase, all []plan.Request) {
	width := max(1, r.Concurrency)
	if p.InTurn() {
		width = 1
	}
	slots, wait := make(chan struct{}, width), sync.WaitGroup{}
	s := r.state()
	for _, q := range all {
		if r.sent[q.Name()] || r.client.Err() != nil || ctx.Err() != nil {
			continue
		}
		if width == 1 {
			wait.Wait()
			s = r.state()
		}
		call, known := s.Call(q.Check, q.Row)
		if !known {
			continue
		}
		if q.Pause > 0 && spec.Sleep(ctx, q.Pause) != nil {
			break
		}
		slots <- struct{}{}
		release, room := r.reserve(ctx, q.Row, &call)
		if !room {
			r.gaveUp[q.Check] = append(r.gaveUp[q.Check], q.Step)
			<-slots
			continue
		}
		r.sent[q.Name()] = true
		wait.Go(func() {
			defer func() { <-slots }()
			defer release()
			r.guard(q.Check, func() { _, _ = r.client.Send(ctx, call) }) // an error ends the client, which says so
		})
	}
	wait.Wait()
}

// reserve takes room for the animal that a row may create, until it is released. room is false if there is none.
func (r *Run) reserve(ctx context.Context, row plan.Row, call *client.Call) (release func(), room bool) {
	if !row.Writes() {
		return func() {}, true
	}
	wanted := plan.Creates(row)
	call.Again = r.budget.again
	return func() { r.budget.done(wanted) }, r.budget.take(ctx, wanted)
}

// send sends one request and returns its exchange, as it is recorded. It sends none where the run has no room for it.
func (r *Run) send(ctx context.Context, row plan.Row, call client.Call) (x history.Exchange, sent bool) {
	if r.client.Err() != nil || ctx.Err() != nil {
		return x, false
	}
	release, room := r.reserve(ctx, row, &call)
	if !room {
		return x, false
	}
	defer release()
	got, err := r.client.Send(ctx, call)
	got.Sent = r.at(got.Sent)
	return history.ReadExchange(got), err == nil
}

// ask sends a read of the plan.
func (r *Run) ask(ctx context.Context, q plan.Request) (x history.Exchange, sent bool) {
	if call, known := r.state().Call(q.Check, q.Row); known {
		return r.send(ctx, q.Row, call)
	}
	return x, false
}

// idle says of each check why it sent nothing.
func (r *Run) idle(before int) {
	if before == r.client.Requests() {
		return
	}
	h := r.History()
	for _, c := range r.plan.Sent {
		switch sent := len(h.Of(c.ID)) > 0; {
		case sent || r.skipped[c.ID] != "" || len(r.gaveUp[c.ID]) > 0:
		case r.narrowed != "":
			r.skipped[c.ID] = r.narrowed
		case c.Idle != "":
			r.skipped[c.ID] = c.Idle
		case r.client.Err() == nil:
			r.skipped[c.ID] = "its requests need an animal that the run does not know"
		}
	}
}

func (r *Run) progress(e Event) {
	if r.Progress != nil {
		e.Requests, e.Planned = r.Sent(), r.plan.Requests()+r.plan.Exploring
		r.Progress(e)
	}
}

// waits tells a wait. Where a run is full because the target showed no limit, that is not what was hoped for.
func (r *Run) waits(why string, wait time.Duration) {
	if r.unlimited {
		why += ". It showed no limit before; the run goes on as a quick one"
	}
	r.progress(Event{Waiting: why, Wait: wait})
}
