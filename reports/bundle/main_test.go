package bundle

import (
	"log"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times what is in use: these tests allocate much and keep little, and take a third
// less CPU so. The keys of all tests lie in one folder.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	var err error
	if desk.dir, err = os.MkdirTemp("", "petconform-keys-"); err != nil {
		log.Fatal(err)
	}
	m.Run()
	_ = os.RemoveAll(desk.dir)
}
