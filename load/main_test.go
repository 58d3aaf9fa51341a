package load

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times what is in use. These tests allocate much and keep little; this takes a third less CPU.
func TestMain(m *testing.M) {
	if dir := os.Getenv(racer); dir != "" {
		if err := race(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	debug.SetGCPercent(400)
	m.Run()
}
