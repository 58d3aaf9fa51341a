package check

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// beyondBudget is why a check that creates animals was not sent.
const beyondBudget = "its creations would go beyond --max-creates"

// SendFurther sends the further requests of the checks in rounds: the first of each check, the second of each, and so
// on. They run side by side, but each takes its creation from the budget in this order, so that the same responses lead
// to the same requests.
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
		if !r.Take(c.Creates) {
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
		s, before := r.Sender(ctx, c.ID), r.createdBy(c.ID)
		if c.Deep == nil || c.Gets && !s.Getting() {
			continue
		}
		queues = append(queues, queue{s, c.Deep(s)})
		if c.Creates > 0 { // else its requests have to be refused
			defer func() { r.Take(r.createdBy(c.ID) - before) }()
		}
	}
	r.sendRounds(queues)
}

// SendParts sends in rounds the parts of requests that failed.
func (r *Run) SendParts(ctx context.Context, checks []Check) {
	var queues []queue
	for _, c := range checks {
		if c.Parts != nil {
			s := r.Sender(ctx, c.ID)
			queues = append(queues, queue{s, c.Parts(s)})
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
				sent = true
				if s := q.sender; s.ctx.Err() == nil && !s.Stopped() && !unanswered(s.Sent(s.check)) {
					all.send(s, q.requests[n])
				}
			}
		}
	}
	all.Wait()
	for _, q := range queues {
		r.noteSkipped(q.sender)
	}
}

// line sends requests concurrently. Those to createPet count against MaxCreates in a fixed order, so that it does not
// depend on their speed which of them are not sent.
type line struct {
	sync.WaitGroup
	slots chan struct{}
}

func newLine(width int) *line { return &line{slots: make(chan struct{}, max(1, width))} }

func (l *line) send(s *Sender, q Request) {
	done, send := func() {}, q.read
	if send == nil && q.Method != http.MethodPost {
		send = func() { s.Do(q) }
	}
	l.slots <- struct{}{}
	if send == nil {
		free, may := s.mayCreate(s.ctx)
		if !may {
			s.goWithout(q.Step)
			<-l.slots
			return
		}
		done, send = free, func() { s.send(q.Call) }
	}
	l.Go(func() {
		defer func() { <-l.slots }()
		defer done()
		s.guard(s.check, send)
	})
}

// unanswered reports whether a check got no complete response to any of its requests, though each was repeated. More
// requests would show nothing more.
func unanswered(own []history.Exchange) bool {
	return len(own) > 0 && !slices.ContainsFunc(own, func(x history.Exchange) bool { return x.Answered() })
}

// AtOnce sends requests at the same time, however many the run sends otherwise.
func (s *Sender) AtOnce(all []Request) { s.together(len(all), all) }

func (s *Sender) together(width int, all []Request) {
	l := newLine(width)
	for _, q := range all {
		if s.Stopped() {
			break
		}
		l.send(s, q)
	}
	l.Wait()
}

// goWithout notes that a request was not sent, because the budget of creations is used up.
func (s *Sender) goWithout(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gaveUp = append(s.gaveUp, step)
}

// noteSkipped notes what a check did not send, and why.
func (r *Run) noteSkipped(s *Sender) {
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
