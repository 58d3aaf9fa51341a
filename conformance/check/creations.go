package check

import (
	"context"
	"math"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/history"
)

// mayCreate reports whether one more createPet may be sent within MaxCreates. A service may accept a body that it has
// to refuse, so every createPet counts as a creation until its response arrives. mayCreate waits while the requests in
// flight could reach MaxCreates. The caller calls done after the response.
func (r *Run) mayCreate(ctx context.Context) (done func(), may bool) {
	for {
		r.mu.Lock()
		switch {
		case r.made >= r.MaxCreates:
			r.mu.Unlock()
			return nil, false
		case r.made+r.posting < r.MaxCreates:
			r.posting++
			r.mu.Unlock()
			return func() {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.posting--
			}, true
		}
		r.mu.Unlock()
		if spec.Sleep(ctx, 2*time.Millisecond) != nil {
			return func() {}, true // the run is over, and the client will say so
		}
	}
}

// Created returns the animals created so far, in the order of sending.
func (r *Run) Created() []history.Creation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return history.From(r.Meta, nil, r.inOrder()).Created()
}

func (r *Run) createdBy(check string) int {
	n := 0
	for _, x := range r.Sent(check) {
		if _, ok := x.Pet(); ok && x.Request.Method == http.MethodPost {
			n++
		}
	}
	return n
}

// Take takes creations that are wanted from the budget, and reports whether so many were left.
func (r *Run) Take(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ReadOnly || n > r.creates {
		return false
	}
	r.creates -= n
	return true
}

// GiveBack returns creations to the budget that were taken and not made.
func (r *Run) GiveBack(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.creates += max(0, n)
}

// Unspent is how many animals more the run may create, wanted or not.
func (r *Run) Unspent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.MaxCreates-r.made)
}

// TakeRest takes what is left of the budget of creations.
func (r *Run) TakeRest() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ReadOnly {
		return 0
	}
	left := max(0, min(r.creates, r.MaxCreates-r.made))
	r.creates -= left
	return min(left, math.MaxInt32)
}
