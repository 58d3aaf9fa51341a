package check

import (
	"context"
	"slices"
	"strings"
	"sync"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Request is a request that is sent in rounds: a createPet, or what read sends.
type Request struct {
	Step, Body string
	Options    []Option
	read       func()
}

// Post returns a createPet request with any body.
func Post(step, body string, opts ...Option) Request {
	return Request{Step: step, Body: body, Options: opts}
}

// Reading returns a request that creates nothing, which send sends.
func Reading(send func()) Request { return Request{read: send} }

// beyondBudget is why a check that creates animals was not sent.
const beyondBudget = "its creations would go beyond --max-creates"

// SendFurther sends the further requests of the checks in rounds: the first of each check, the second of each, and so on. They run
// side by side, but each takes its creation from the budget in this order, so that the same responses lead to the same requests.
func (r *Run) SendFurther(ctx context.Context, checks []Check) {
	var queues []queue
	for _, c := range checks {
		if s := r.Sender(ctx, c.ID); c.Further != nil && c.Send != nil {
			queues = append(queues, queue{s, c.Further(s)})
		}
	}
	r.sendRounds(queues)
}

// SendOpen sends what checks without a Send have: their requirements are open, so the others come first.
func (r *Run) SendOpen(ctx context.Context, checks []Check) {
	for _, c := range checks {
		if c.Further == nil || c.Send != nil {
			continue
		}
		s := r.Sender(ctx, c.ID)
		if !r.takeCreates(c.Creates) {
			s.Skip(beyondBudget)
			r.noteSkipped(s)
			continue
		}
		r.sendRounds([]queue{{s, c.Further(s)}})
		r.GiveBack(c.Creates - r.createdBy(c.ID))
	}
}

// SendDeep sends in rounds what only a full run sends.
func (r *Run) SendDeep(ctx context.Context, checks []Check) {
	var queues []queue
	for _, c := range checks {
		if c.Deep == nil {
			continue
		}
		s, before := r.Sender(ctx, c.ID), r.createdBy(c.ID)
		queues = append(queues, queue{s, c.Deep(s)})
		if c.Creates > 0 { // else its requests have to be refused
			defer func() { r.takeCreates(r.createdBy(c.ID) - before) }()
		}
	}
	r.sendRounds(queues)
}

// queue is what a check sends in rounds.
type queue struct {
	sender   *Sender
	requests []Request
}

// sendRounds sends the first request of each queue, the second of each, and so on.
func (r *Run) sendRounds(queues []queue) {
	all := newLine(r.Concurrency)
	for n, sent := 0, true; sent; n++ {
		sent = false
		for _, q := range queues {
			if n < len(q.requests) {
				all.send(q.sender, q.requests[n])
				sent = true
			}
		}
	}
	all.Wait()
	for _, q := range queues {
		r.noteSkipped(q.sender)
	}
}

// line sends requests concurrently. Those to createPet count against MaxCreates in a fixed order, so that it does not depend on their
// speed which of them are not sent.
type line struct {
	sync.WaitGroup
	slots chan struct{}
}

func newLine(width int) *line { return &line{slots: make(chan struct{}, max(1, width))} }

func (l *line) send(s *Sender, q Request) {
	if s.ctx.Err() != nil || s.Stopped() || unanswered(s.Sent(s.check)) {
		return
	}
	l.slots <- struct{}{}
	if q.read != nil {
		l.Go(func() {
			defer func() { <-l.slots }()
			s.run.guard(s.check, q.read)
		})
		return
	}
	done, may := s.run.mayCreate(s.ctx)
	if !may {
		s.giveUp(q.Step)
		<-l.slots
		return
	}
	l.Go(func() {
		defer func() { <-l.slots }()
		defer done()
		s.run.guard(s.check, func() { s.send(s.post(q.Step, q.Body), q.Options...) })
	})
}

// unanswered reports whether a check got no complete response to any of its requests, though each was repeated. More requests
// would show nothing more.
func unanswered(own []history.Exchange) bool {
	return len(own) > 0 && !slices.ContainsFunc(own, func(x history.Exchange) bool { return x.Answered() })
}

// PostTogether sends createPet requests, width of them at the same time.
func (s *Sender) PostTogether(width int, all []Request) {
	l := newLine(width)
	for _, q := range all {
		l.send(s, q)
	}
	l.Wait()
}

// giveUp notes that a request was not sent, because the budget of creations is used up.
func (s *Sender) giveUp(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gaveUp = append(s.gaveUp, step)
}

// noteSkipped notes what a check did not send, and why.
func (r *Run) noteSkipped(s *Sender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(s.gaveUp) > 0 {
		r.gaveUp[s.check] = append(r.gaveUp[s.check], s.gaveUp...)
	} else if s.skipped != "" {
		r.skipped[s.check] = s.skipped
	}
}

// Unsent says why a check did not send all that it has to send; "" if it did.
func Unsent(end *exchange.End, check string) string {
	switch {
	case end == nil:
		return ""
	case len(end.GaveUp[check]) > 0:
		return "--max-creates was used up; given up: " + strings.Join(end.GaveUp[check], ", ")
	}
	return end.Skipped[check]
}
