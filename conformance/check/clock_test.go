package check

import (
	"testing"
	"time"
	"unsafe"
)

// TestAClockThatIsSet: the clock of this machine is set by an hour during a run. The recording goes on by the monotonic clock.
func TestAClockThatIsSet(t *testing.T) {
	for _, by := range []int64{-3600, 3600} {
		began := time.Now()
		later := began.Add(time.Second)
		// A time.Time has no way to change the wall clock alone. Its seconds begin at bit 30 of the first word.
		*(*int64)(unsafe.Pointer(&later)) += by << 30
		if wall := later.Round(0).Sub(began.Round(0)); wall != time.Second+time.Duration(by)*time.Second {
			t.Fatalf("the wall clock was set by %s", wall)
		}
		r := Run{Began: began}
		if got := r.At(later); !got.Equal(began.Add(time.Second).Round(0)) {
			t.Errorf("set by %d s: recorded %s after the beginning; 1 s is wanted", by, got.Sub(began.Round(0)))
		}
	}
}
