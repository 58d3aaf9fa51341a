package plan

import (
	"cmp"
	"slices"
	"time"

	"petconform/spec"
)

// The sizes of a run.
const (
	// QuickRequests is the largest number of requests of a quick run on a lawful service, and QuickWhenLagging that on
	// one with a replica that lags.
	QuickRequests    = 125
	QuickWhenLagging = 140
	// FullRequests is about how many requests a full run sends, generated sequences included, and MostRequests is the
	// largest number.
	FullRequests = 1000
	MostRequests = 1100
)

// Sent returns the checks with those ids that a run sends, those that they need, and the first of every run, in the order
// of All. A quick run leaves out those that have full rows alone, and a read-only one those that may create an animal.
func Sent(ids []string, full, readOnly bool) []Check {
	wanted := map[string]bool{}
	var want func(id string)
	want = func(id string) {
		if c, known := Find(id); known && !wanted[id] {
			wanted[id] = true
			for _, need := range c.Needs {
				want(need)
			}
		}
	}
	for _, id := range append([]string{all[0].ID}, ids...) {
		want(id)
	}
	return slices.DeleteFunc(All(), func(c Check) bool {
		ofFull := len(c.Rows) > 0 && !slices.ContainsFunc(c.Rows, func(r Row) bool { return !r.Full })
		return !wanted[c.ID] || readOnly && c.Writes() || ofFull && !full
	})
}

// applies reports whether what the check proves applies on a day.
func (c Check) applies(day time.Time) bool {
	q, known := spec.TheLedger().Find(c.Proves)
	return !known || q.Applies(day)
}

// Request is a row of a check.
type Request struct {
	Check string
	Row
}

// Name names the request among those of a run.
func (q Request) Name() string { return q.Check + "/" + q.Step }

// Requests returns what the checks send in a phase. The rows of a check are spread among those of the others, so that
// each requirement has its first before the budget of creations is used up.
func (s *State) Requests(checks []Check, p Phase, full bool) (all []Request) {
	var queues [][]Request
	for _, c := range checks {
		if !c.applies(s.Meta.AsOf) {
			continue
		}
		rows := c.Rows
		if c.More != nil && c.In == p {
			rows = slices.Concat(rows, c.More(s))
		}
		var own []Request
		for _, r := range rows {
			if cmp.Or(r.In, c.In) == p && (full || !r.Full) {
				own = append(own, Request{c.ID, r})
			}
		}
		queues = append(queues, own)
	}
	for n, more := 0, true; more; n++ {
		more = false
		for _, own := range queues {
			if n < len(own) {
				all, more = append(all, own[n]), true
			}
		}
	}
	if p.InTurn() { // the order of the tables counts
		slices.SortStableFunc(all, func(a, b Request) int { return index(a.Check) - index(b.Check) })
	}
	return all
}

func index(id string) int { return slices.IndexFunc(all, func(c Check) bool { return c.ID == id }) }

// PartsToSend returns the parts of rows that failed. Where a createPet may have been refused because the store is full,
// it returns one more: if that succeeds, the store was not.
func (s *State) PartsToSend(checks []Check) (parts []Request) {
	var full []Request
	for _, c := range checks {
		for _, x := range s.Of(c.ID) {
			r, _ := c.Row(x.Step)
			if !x.Answered() || x.Limited() || !r.Fails(x.Status()) {
				continue
			}
			if why := Tolerated(s.History, r, x); why.Reason == "" {
				for _, part := range r.Parts {
					parts = append(parts, Request{c.ID, part})
				}
			} else if !why.Decides && len(s.Created()) > 0 {
				full = []Request{later(c.ID, x.Step)}
			}
		}
	}
	return append(parts, full...)
}

// Count is how many requests the checks send to a lawful service that has animals, and how many animals they create.
func Count(checks []Check, full bool) (requests, creates int) {
	for _, c := range checks {
		rows := c.Rows
		if c.More != nil {
			rows = append(slices.Clone(rows), c.Like)
		}
		for _, r := range rows {
			if r.Full && !full {
				continue
			}
			if requests++; r.Writes() && (slices.Contains(r.Want, 201) || len(r.Want) == 0) {
				creates++
			}
		}
	}
	if !full {
		requests = min(requests, QuickRequests)
	}
	return requests, creates
}
