package reference

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times what is in use: these tests allocate much and keep little, and take a third less CPU so.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
