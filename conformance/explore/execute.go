package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
)

// sequence is requests that are sent one after the other, or all at once.
type sequence struct {
	actions []action
	atOnce  bool
}

// action makes one request. It refers to animals by their place, since the target assigns the ids. ok is false if there
// is no such animal.
type action func(x *execution) (q plan.Request, ok bool)

// execution is a sequence that is being sent.
type execution struct {
	state         *plan.State
	number, named int
	names         []string       // of the animals that it creates
	made          []plan.Request // the creations that succeeded, as they were sent
	ids           []string
	limit         string // the query of its last unfiltered listing
	listed        int    // what that showed
}

// execute sends a sequence and returns its exchanges in the order of sending. label names the execution in the
// recording. It creates no animal on purpose when only so many creations are left.
func (e *Exploration) execute(ctx context.Context, label string, s sequence, aside int) (own []history.Exchange) {
	e.mu.Lock()
	e.executions++
	x := &execution{state: &plan.State{History: e.target.History()}, number: e.executions}
	e.mu.Unlock()
	var mu sync.Mutex
	var wait sync.WaitGroup
	begin := make(chan struct{}) // at once: what a request refers to does not depend on the others
	for i, a := range s.actions {
		q, call, ok := x.call(label, i+1, a)
		if !ok || plan.Creates(q.Row) && e.target.CreatesLeft() <= aside {
			continue
		}
		wait.Go(func() {
			if s.atOnce {
				<-begin
			}
			if got, sent := e.send(ctx, call); sent {
				mu.Lock()
				defer mu.Unlock()
				own = append(own, got)
				x.note(q, call, got)
			}
		})
		if !s.atOnce {
			wait.Wait()
		}
	}
	close(begin)
	wait.Wait()
	slices.SortFunc(own, func(a, b history.Exchange) int { return a.N - b.N })
	return own
}

// call makes the n-th request of an execution.
func (x *execution) call(label string, n int, a action) (q plan.Request, call client.Call, ok bool) {
	if q, ok = a(x); ok {
		if name := x.name(0); q.Writes() { // a row's own name is that of another animal when it is sent again
			q.Body = strings.ReplaceAll(withName(q.Body, name), "petconform-%r", name)
		}
		row := q.Row
		row.Step = fmt.Sprintf("%s/%d %s/%s", label, n, q.Check, q.Step)
		call, ok = x.state.Call(CheckID, row)
	}
	return q, call, ok
}

// name makes a name that no other request has, of at least so many bytes.
func (x *execution) name(length int) string {
	x.named++
	name := fmt.Sprintf("petconform-%s-x%d.%d", x.state.Meta.Run, x.number, x.named)
	return name + strings.Repeat("y", max(0, length-len(name)))
}

func withName(body, name string) string {
	quoted, _ := json.Marshal(name) // a string always marshals
	return strings.ReplaceAll(body, "%n", string(quoted))
}

// send sends one request within the budget.
func (e *Exploration) send(ctx context.Context, call client.Call) (x history.Exchange, sent bool) {
	e.mu.Lock()
	over := e.spent >= e.Requests
	e.mu.Unlock()
	if over {
		return x, false
	}
	if x, sent = e.target.Send(ctx, call); sent {
		e.mu.Lock()
		e.spent++
		e.mu.Unlock()
	}
	return x, sent
}

// note keeps what later actions refer to.
func (x *execution) note(q plan.Request, call client.Call, got history.Exchange) {
	if p, created := got.Pet(); created && got.Operation == spec.CreatePet {
		q.Body = string(call.Body)
		x.made = append(x.made, q)
		if p.ID != "" {
			x.ids = append(x.ids, p.ID)
		}
	}
	if _, status, plain := got.Listing(); plain && status == "" && got.Len() >= 0 {
		_, x.limit, _ = strings.Cut(got.Request.Path, "?")
		x.listed = got.Len()
	}
}
