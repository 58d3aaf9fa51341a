package sender

import "sync/atomic"

// Gate is closed by the first 429 and stays closed, since requests after a 429 may lead to a ban. After the wait a new gate is used.
type Gate struct{ shut atomic.Bool }

func (g *Gate) Close() { g.shut.Store(true) }

// Shut reports whether the gate is closed. A nil gate is open.
func (g *Gate) Shut() bool { return g != nil && g.shut.Load() }
