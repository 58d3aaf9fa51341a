package load

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times what is in use. These tests allocate much and keep little; this takes a third less CPU.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
