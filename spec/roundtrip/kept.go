package roundtrip

import (
	"sync/atomic"

	"petconform/spec/exchange"
)

// Kept counts the kept connections that the target closed in use, which RFC 9112, section 9.5 lets it do. Its methods
// may be called by several goroutines.
type Kept struct{ lost atomic.Int64 }

// mostLost is the number of kept connections that may close without an answer: 2. From then on a run gives each request
// a connection of its own, which shows whether the server closes that one too.
const mostLost = 2

// unfit reports whether connections are no longer kept.
func (k *Kept) unfit() bool { return k != nil && k.lost.Load() >= mostLost }

func (k *Kept) count(x *exchange.Exchange) {
	if k != nil && x.ReusedClosed() {
		k.lost.Add(1)
	}
}
