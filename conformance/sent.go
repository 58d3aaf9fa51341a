package conformance

import (
	"cmp"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// history returns what has been sent so far. No body is parsed again.
func (r *live) history() *history.History {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := r.rec.End
	if end == nil {
		end = &exchange.End{Skipped: maps.Clone(r.skipped), GaveUp: maps.Clone(r.gaveUp)}
	}
	return history.From(r.rec.Meta, end, r.inOrderRead())
}

// parsed returns an exchange that was recorded.
func (r *live) parsed(x exchange.Exchange) history.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, y := range slices.Backward(r.read[x.Check]) {
		if y.N == x.N {
			return y
		}
	}
	return history.ReadExchange(x)
}

func (r *live) inOrderRead() []history.Exchange {
	var all []history.Exchange
	for _, own := range r.read {
		all = append(all, own...)
	}
	slices.SortFunc(all, func(a, b history.Exchange) int { return cmp.Compare(a.N, b.N) })
	return all
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return h.Sum64()
}

// keep notes an exchange as it ends.
func (r *live) keep(x exchange.Exchange) {
	parsed := history.ReadExchange(x)
	r.mu.Lock()
	r.all = append(r.all, x)
	r.read[x.Check] = append(r.read[x.Check], parsed)
	if x.Operation == spec.CreatePet && x.Status()/100 == 2 {
		r.made++
	}
	r.mu.Unlock()
	r.progress(Event{})
}

func (r *live) progress(e Event) {
	if r.cfg.Progress == nil {
		return
	}
	r.mu.Lock()
	e.Requests, e.Checks, e.Of, e.Planned = len(r.all), r.finished, len(r.plan.Sent), r.plan.Requests()+r.exploring
	r.mu.Unlock()
	r.cfg.Progress(e)
}

func (r *live) waiting(why string, wait time.Duration) { r.progress(Event{Waiting: why, Wait: wait}) }

func (r *live) sentBy(check string) []history.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.read[check])
}
