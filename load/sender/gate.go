package sender

import "sync/atomic"

// Gate shuts at the first 429 and stays shut: whoever sends again after it risks a ban of the key, so opening one is
// making a new one, once the wait is over.
type Gate struct{ shut atomic.Bool }

// Close shuts the gate.
func (g *Gate) Close() { g.shut.Store(true) }

// Shut says whether a 429 has come.
func (g *Gate) Shut() bool { return g != nil && g.shut.Load() }
