package sender

import "sync/atomic"

// Gate shuts at the first 429 and stays shut, since requests after a 429 may lead to a ban. After the wait a new gate is used.
type Gate struct{ shut atomic.Bool }

// Close shuts the gate.
func (g *Gate) Close() { g.shut.Store(true) }

// Shut says whether there was a 429.
func (g *Gate) Shut() bool { return g != nil && g.shut.Load() }
