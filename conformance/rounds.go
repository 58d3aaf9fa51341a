package conformance

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// posting is a createPet request that a check sends in a later round.
type posting struct {
	step, body string
	opts       []Option
}

// beyondBudget is why a check that creates animals was not sent.
const beyondBudget = "its creations would go beyond --max-creates"

// sendFurther sends the further requests of the checks in rounds: the first of each check, the second of each, and so on. They run side
// by side, but each takes its creation from the budget in this order, so that the same responses lead to the same requests.
func (r *live) sendFurther(ctx context.Context, checks []Check) {
	var senders []*Sender
	var rounds [][]posting
	most := 0
	add := func(c Check, s *Sender) {
		senders, rounds = append(senders, s), append(rounds, c.Further(s))
		most = max(most, len(rounds[len(rounds)-1]))
	}
	for _, c := range checks {
		if c.Further != nil && c.Send != nil {
			add(c, r.sender(ctx, c))
		}
	}
	r.sendRounds(senders, rounds, most)
	for _, c := range checks {
		if c.Further == nil || c.Send != nil {
			continue
		}
		s := r.sender(ctx, c)
		if !r.takeCreates(c.Creates) {
			s.Skip(beyondBudget)
			r.noteSkipped(s)
			continue
		}
		senders, rounds, most = nil, nil, 0
		add(c, s)
		r.sendRounds(senders, rounds, most)
		r.giveBack(c.Creates - r.createdBy(c.ID))
	}
}

// sendRounds sends the first request of each sender, the second of each, and so on.
func (r *live) sendRounds(senders []*Sender, rounds [][]posting, most int) {
	all := newLine(r.cfg.Concurrency)
	for n := range most {
		for i, s := range senders {
			if n < len(rounds[i]) {
				all.send(s, rounds[i][n])
			}
		}
	}
	all.Wait()
	for _, s := range senders {
		r.noteSkipped(s)
	}
}

// line sends createPet requests concurrently. They count against MaxCreates in a fixed order, so that it does not depend on their
// speed which of them are not sent.
type line struct {
	sync.WaitGroup
	slots chan struct{}
}

func newLine(width int) *line { return &line{slots: make(chan struct{}, max(1, width))} }

func (l *line) send(s *Sender, p posting) {
	if s.ctx.Err() != nil || s.Stopped() || unanswered(s.Sent(s.check)) {
		return
	}
	l.slots <- struct{}{}
	done, may := s.run.mayCreate(s.ctx)
	if !may {
		s.giveUp(p.step)
		<-l.slots
		return
	}
	l.Go(func() {
		defer func() { <-l.slots }()
		defer done()
		s.run.guard(s.check, func() { s.send(s.post(p.step, p.body), p.opts...) })
	})
}

// unanswered reports whether a check got no complete response to any of its requests, though each was repeated. More requests
// would show nothing more.
func unanswered(own []history.Exchange) bool {
	return len(own) > 0 && !slices.ContainsFunc(own, func(x history.Exchange) bool { return x.Answered() })
}

// PostTogether sends createPet requests, width of them at the same time.
func (s *Sender) PostTogether(width int, all []posting) {
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
func (r *live) noteSkipped(s *Sender) {
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

// unsent says why a check did not send all that it has to send; "" if it did.
func unsent(end *exchange.End, check string) string {
	switch {
	case end == nil:
		return ""
	case len(end.GaveUp[check]) > 0:
		return "--max-creates was used up; given up: " + strings.Join(end.GaveUp[check], ", ")
	}
	return end.Skipped[check]
}

// givenUp says which checks did not send all requests because of --max-creates; "" if the run sent everything. The reason of each
// check names the requests.
func givenUp(h *history.History) string {
	if h.End == nil {
		return ""
	}
	var all []string
	for _, id := range slices.Sorted(maps.Keys(h.End.GaveUp)) {
		all = append(all, fmt.Sprintf("%s (%d)", id, len(h.End.GaveUp[id])))
	}
	if len(all) == 0 {
		return ""
	}
	return "--max-creates was used up, so these checks did not send all cases: " + strings.Join(all, ", ") +
		". A createPet counts too if the target accepts what it has to refuse, or gives no clear response"
}
