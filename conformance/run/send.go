package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"petconform/conformance/judge"
	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
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
	r.guard("the plan", func() {
		for p := plan.Found; p <= plan.Ending; p++ {
			if p == plan.Ending {
				r.explore(ctx)
			}
			if r.sendAll(ctx, p, r.requests(p)); p == plan.Created {
				r.settle(ctx, 0)
			}
		}
	})
	r.idle(before)
	if r.stopped = r.cause(ctx); r.stopped == nil {
		r.stopped = r.client.Confirm(ctx)
	}
}

// requests returns what a phase sends. Spare rows are left out where the others have used up the requests of a quick run.
func (r *Run) requests(p plan.Phase) []plan.Request {
	s := r.state()
	if p == plan.Created {
		// The ids to ask for one by one in a store that no listing shows whole, if requests are left for all of them.
		s.Unlisted = model.Of(s.History).Unlisted(max(0, r.left(s, p)))
	}
	all, spare := s.Requests(r.plan.Sent, p, r.full()), r.left(s, p)
	if p == plan.TakenApart {
		all = s.Failed(r.plan.Sent)
	}
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

// left is how many requests the size of the run leaves beside those that the phases from one on send in any case.
func (r *Run) left(s *plan.State, from plan.Phase) int {
	left := plan.QuickRequests
	if r.full() {
		left = plan.MostRequests
	}
	left -= r.client.Requests()
	for p := from; p <= plan.Ending; p++ {
		for _, q := range s.Requests(r.plan.Sent, p, r.full()) {
			if !q.Spare && !r.sent[q.Name()] {
				left--
			}
		}
	}
	return left
}

func (r *Run) full() bool { return r.Deep && r.narrow() == "" }

// narrow says why a full run goes on as a quick one; "" if it does not.
func (r *Run) narrow() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.narrowed
}

// narrows says why a full run goes on as a quick one after x, its last exchange; "" if it does not. Of the bodies that a
// run keeps, those of a quick run need room, if they are as large as those so far.
func (r *Run) narrows(x exchange.Exchange) string {
	kept, most := r.client.Bodies()
	_, limited := judge.LimitOf(r.all[0].Exchange)
	switch {
	case !r.Deep:
	case r.Fitted && !limited && x.Limited() && x.Auth.Valid():
		return "the target showed no limit and refused a request for one, so the run went on as a quick one"
	case kept+kept/int64(len(r.all))*plan.QuickRequests > most:
		return fmt.Sprintf("the bodies of a full run would take more than %d MiB, so the run went on as a quick one", most>>20)
	}
	return ""
}

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
		send := r.reserve(ctx, q.Row, call)
		if send == nil {
			wait.Wait() // those in flight may give their room back
			send = r.reserve(ctx, q.Row, call)
		}
		if send == nil {
			r.gaveUp[q.Check] = append(r.gaveUp[q.Check], q.Step)
			<-slots
			continue
		}
		r.sent[q.Name()] = true
		wait.Go(func() {
			defer func() { <-slots }()
			r.guard(q.Check, func() { send() })
		})
	}
	wait.Wait()
}

// reserve takes room for the animal that a row may create, and returns what sends the request and then gives the room
// back. It returns nil if there is none.
func (r *Run) reserve(ctx context.Context, row plan.Row, call client.Call) (send func() (x history.Exchange, sent bool)) {
	done := func(bool) {}
	if row.Writes() {
		if call.Again = r.budget.again; !r.budget.take(row.Creates()) {
			return nil
		}
		done = r.budget.giveBack
	}
	return func() (history.Exchange, bool) {
		defer done(row.Creates())
		got, err := r.client.Send(ctx, call) // an error ends the client, which says so
		got.Sent = r.at(got.Sent)
		return history.ReadExchange(got), err == nil
	}
}

// ask sends a row of the plan and returns its exchange, as it is recorded. It sends nothing where the run does not know a
// value of the row, or has no room for it.
func (r *Run) ask(ctx context.Context, s *plan.State, check string, row plan.Row) (x history.Exchange, sent bool) {
	call, known := s.Call(check, row)
	if !known || r.client.Err() != nil || ctx.Err() != nil {
		return x, false
	}
	if send := r.reserve(ctx, row, call); send != nil {
		return send()
	}
	return x, false
}

// record keeps and writes an exchange as it ends.
func (r *Run) record(x exchange.Exchange) error {
	x.Sent = r.at(x.Sent)
	if err := r.fit(x); err != nil {
		return err
	}
	row, _ := plan.RowOf(x.Check, x.Step)
	r.budget.count(x, row.Creates())
	read := history.ReadExchange(x)
	r.mu.Lock()
	r.all = append(r.all, read)
	r.narrowed = cmp.Or(r.narrowed, r.narrows(x))
	r.mu.Unlock()
	r.progress(Event{})
	return r.writer.Write(x)
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
		case c.Idle != "":
			r.skipped[c.ID] = c.Idle
		case r.narrowed != "":
			r.skipped[c.ID] = r.narrowed
		case r.client.Err() == nil:
			r.skipped[c.ID] = "its requests need an animal that the run does not know"
		}
	}
}
