package run

import (
	"sync"

	"petconform/spec"
	"petconform/spec/exchange"
)

// budget bounds the animals that a run creates, since the service has no delete: those that it creates on purpose, and
// all of them. What a createPet created is known when its response has come, so each that is in flight counts until then.
type budget struct {
	mu         sync.Mutex
	most, used [2]int
	// aside is how many of the animals on purpose are kept for what is sent later. It changes while nothing is in flight.
	aside int
}

// onPurpose and ofAll are the two bounds of a budget.
const onPurpose, ofAll = 0, 1

// take takes room for an animal until it is given back. It returns false if the requests in flight could use up the budget.
func (b *budget) take(creates bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if creates && b.used[onPurpose]+b.aside >= b.most[onPurpose] || b.used[ofAll] >= b.most[ofAll] {
		return false
	}
	b.add(creates, 1)
	return true
}

// giveBack gives the room back that take took.
func (b *budget) giveBack(creates bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(creates, -1)
}

// add counts n animals. A row that has to be refused counts for ofAll alone.
func (b *budget) add(creates bool, n int) {
	if b.used[ofAll] += n; creates {
		b.used[onPurpose] += n
	}
}

// again reports whether a createPet in flight may be sent once more.
func (b *budget) again() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used[ofAll] <= b.most[ofAll]
}

// count counts what may have created an animal: a createPet that was sent with a valid key and not refused by a 4xx,
// whatever came back, or one without a valid key that was accepted.
func (b *budget) count(x exchange.Exchange, creates bool) {
	unsent := x.Failure != nil && x.Failure.Kind == exchange.Unreachable
	if x.Operation != spec.CreatePet || unsent || x.Status()/100 == 4 || !x.Auth.Valid() && x.Status()/100 != 2 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(creates, 1)
}
