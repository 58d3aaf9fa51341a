package check

import (
	"context"
	"slices"
	"strings"
	"sync"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Posting is a createPet request.
type Posting struct {
	Step, Body string
	Options    []Option
}

// Post returns a createPet request with any body.
func Post(step, body string, opts ...Option) Posting { return Posting{step, body, opts} }

// beyondBudget is why a check that creates animals was not sent.
const beyondBudget = "its creations would go beyond --max-creates"

// SendFurther sends the further requests of the checks in rounds: the first of each check, the second of each, and so on. They run
// side by side, but each takes its creation from the budget in this order, so that the same responses lead to the same requests.
func (r *Run) SendFurther(ctx context.Context, checks []Check) {
	var queues []queue
	for _, c := range checks {
		if c.Further != nil && c.Send != nil {
			s := r.Sender(ctx, c.ID)
			queues = append(queues, queue{s, c.Further(s)})
		}
	}
	r.sendRounds(queues...)
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
		r.sendRounds(queue{s, c.Further(s)})
		r.GiveBack(c.Creates - r.createdBy(c.ID))
	}
}

// queue is what a check sends in rounds.
type queue struct {
	sender *Sender
	posts  []Posting
}

// sendRounds sends the first request of each queue, the second of each, and so on.
func (r *Run) sendRounds(queues ...queue) {
	all, sent := newLine(r.Concurrency), true
	for n := 0; sent; n++ {
		sent = false
		for _, q := range queues {
			if n < len(q.posts) {
				all.send(q.sender, q.posts[n])
				sent = true
			}
		}
	}
	all.Wait()
	for _, q := range queues {
		r.noteSkipped(q.sender)
	}
}

// line sends createPet requests concurrently. They count against MaxCreates in a fixed order, so that it does not depend on their
// speed which of them are not sent.
type line struct {
	sync.WaitGroup
	slots chan struct{}
}

func newLine(width int) *line { return &line{slots: make(chan struct{}, max(1, width))} }

func (l *line) send(s *Sender, p Posting) {
	if s.ctx.Err() != nil || s.Stopped() || unanswered(s.Sent(s.check)) {
		return
	}
	l.slots <- struct{}{}
	done, may := s.run.mayCreate(s.ctx)
	if !may {
		s.giveUp(p.Step)
		<-l.slots
		return
	}
	l.Go(func() {
		defer func() { <-l.slots }()
		defer done()
		s.run.guard(s.check, func() { s.send(s.post(p.Step, p.Body), p.Options...) })
	})
}

// unanswered reports whether a check got no complete response to any of its requests, though each was repeated. More requests
// would show nothing more.
func unanswered(own []history.Exchange) bool {
	return len(own) > 0 && !slices.ContainsFunc(own, func(x history.Exchange) bool { return x.Answered() })
}

// PostTogether sends createPet requests, width of them at the same time.
func (s *Sender) PostTogether(width int, all []Posting) {
	l := newLine(width)
	for _, p := range all {
		l.send(s, p)
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
