package run

import (
	"cmp"
	"context"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// budget bounds the animals that a run creates, since the service has no delete. What a createPet created is known when
// its response has come, so each that is in flight counts until then.
type budget struct {
	mu sync.Mutex
	// most is the largest number of animals, and wanted that of those that are created on purpose.
	most, wanted     int
	made, onPurpose  int
	inFlight, asking int
}

func newBudget(cfg Config) *budget {
	return &budget{most: cfg.MaxCreates, wanted: cmp.Or(cfg.Wanted, cfg.MaxCreates)}
}

// take waits while the requests in flight could use up the budget, and reports whether there is room for one more.
func (b *budget) take(ctx context.Context, onPurpose bool) bool {
	for {
		b.mu.Lock()
		spent := b.made >= b.most || onPurpose && b.onPurpose >= b.wanted
		room := b.made+b.inFlight < b.most && !(onPurpose && b.onPurpose+b.asking >= b.wanted)
		if !spent && room {
			b.inFlight++
			if onPurpose {
				b.asking++
			}
		}
		b.mu.Unlock()
		if spent || room {
			return !spent
		}
		if spec.Sleep(ctx, 2*time.Millisecond) != nil {
			return false
		}
	}
}

// done gives back what take took.
func (b *budget) done(onPurpose bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
	if onPurpose {
		b.asking--
	}
}

// again reports whether a createPet in flight may be sent once more.
func (b *budget) again() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.made+b.inFlight <= b.most
}

// count counts what may have created an animal: a createPet that was sent with a valid key and not refused by a 4xx,
// whatever came back, or one without a valid key that was accepted.
func (b *budget) count(x exchange.Exchange, onPurpose bool) {
	accepted := x.Status()/100 == 2
	unsent := x.Failure != nil && x.Failure.Kind == exchange.Unreachable
	if x.Operation != spec.CreatePet || unsent || x.Status()/100 == 4 || !x.Auth.Valid() && !accepted {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made++
	if onPurpose {
		b.onPurpose++
	}
}

// left is how many animals may be created.
func (b *budget) left() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, min(b.most-b.made, b.wanted-b.onPurpose))
}
