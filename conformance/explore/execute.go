package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// execute sends a sequence and returns its exchanges in the order of sending. label identifies the execution in the
// recording.
func (e *explorer) execute(ctx context.Context, label string, sequence []action, patience time.Duration) ([]history.Exchange, error) {
	w := &world{explorer: e, sequence: label}
	var own []history.Exchange
	for i := 0; i < len(sequence); {
		end := i + 1
		for end < len(sequence) && sequence[end].beside {
			end++
		}
		got, err := e.sendTogether(ctx, w, label, i, sequence[i:end], patience)
		own = append(own, got...)
		if err != nil {
			return inOrder(own), err
		}
		i = end
	}
	return inOrder(own), nil
}

// sendTogether sends actions at the same time. It makes their requests first, so that they do not depend on the order
// of sending.
func (e *explorer) sendTogether(ctx context.Context, w *world, label string, first int, group []action,
	patience time.Duration) ([]history.Exchange, error) {
	type sending struct {
		action
		made, sent client.Call // without and with the label
		own        []history.Exchange
		err        error
	}
	var all []*sending
	for i, a := range group {
		if made, ok := a.call(w); ok {
			s := &sending{action: a, made: made, sent: made}
			s.sent.Check, s.sent.Step = CheckID, fmt.Sprintf("%s/%d %s", label, first+i+1, made.Step)
			all = append(all, s)
		}
	}
	var wait sync.WaitGroup
	for _, s := range all {
		wait.Go(func() { s.own, s.err = e.patiently(ctx, s.sent, e.budget(s.made), patience) })
	}
	wait.Wait()
	var own []history.Exchange
	for _, s := range all {
		own = append(own, s.own...)
		for _, x := range s.own {
			w.note(s.made, x)
		}
		if s.err != nil && !errors.Is(s.err, errNoCreates) {
			return own, s.err
		}
	}
	return own, nil
}

// send sends one call within the budget.
func (e *explorer) send(ctx context.Context, call client.Call, budget *int) (history.Exchange, error) {
	if err := e.take(budget); err != nil {
		return history.Exchange{}, err
	}
	x, err := e.client.Send(ctx, call)
	read := history.ReadExchange(x)
	e.settle(budget, read)
	return read, err
}

// patiently repeats a read that lacks an animal, until the animal is older than patience: a replica may lag. The judge
// goes by the age of the animal at the last read, so a run that ends early leads to no finding.
func (e *explorer) patiently(ctx context.Context, c client.Call, budget *int, patience time.Duration) (own []history.Exchange, err error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		x, err := e.send(ctx, c, budget)
		if x.N > 0 {
			own = append(own, x)
		}
		if err != nil || x.N == 0 || !usable(x) || !e.lacksYoung(x, patience) {
			return own, err
		}
		if err := spec.Sleep(ctx, pause); err != nil {
			return own, err
		}
	}
}

const (
	firstPause = 10 * time.Millisecond
	lastPause  = 2 * time.Second
)

// lacksYoung reports whether x lacks animals, all of them younger than patience.
func (e *explorer) lacksYoung(x history.Exchange, patience time.Duration) bool {
	if x.Request.Method != http.MethodGet {
		return false
	}
	e.mu.Lock()
	r := &reader{h: history.From(e.cfg.Meta, nil, nil), byDefault: e.byDefault, kept: slices.Clone(e.created)}
	e.mu.Unlock()
	young := false
	for _, c := range r.owed(x) {
		if lacks := !shows(x, c); lacks && x.Sent.Sub(c.Exchange.Ended()) >= patience {
			return false
		} else if lacks {
			young = true
		}
	}
	return young
}

// shortest is the prefix of the label of a shrunk sequence.
const shortest = "shortest-"

// sequenceOf is the label of an exchange's execution: "12" for the twelfth sequence, "shortest-12-1" for the sequence
// shrunk.
func sequenceOf(x exchange.Exchange) string {
	label, _, _ := strings.Cut(x.Step, "/")
	return label
}
