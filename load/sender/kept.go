package sender

import (
	"sync/atomic"

	"petconform/spec/exchange"
)

// Kept counts the kept connections that the target closed in use, which RFC 9112, section 9.5 lets it do. After exchange.MaxReusedClosed
// of them no connection is kept. Its methods may be called by several goroutines.
type Kept struct{ lost atomic.Int64 }

func (k *Kept) closed() {
	if k != nil {
		k.lost.Add(1)
	}
}

// unfit reports whether connections are no longer kept.
func (k *Kept) unfit() bool { return k != nil && k.lost.Load() >= exchange.MaxReusedClosed }
