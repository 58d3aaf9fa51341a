package sender

import (
	"os"
	"runtime"
	"testing"
)

var garbage []byte

func TestBallastSparesCollections(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("GOGC has the say here")
	}
	collections := func() uint32 {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range ballastSize / 2 / 4096 {
			garbage = make([]byte, 4096)
		}
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	without := collections()
	release := Ballast()
	with := collections()
	release()
	if with != 0 || without == 0 {
		t.Errorf("%d MB of garbage were collected %d times, and %d times with the ballast; 0 were wanted", ballastSize>>21, without, with)
	}
}
