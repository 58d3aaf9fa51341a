package page

import (
	"testing"
	"time"
)

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{2 * time.Second: "2s", time.Minute: "1m", 48 * time.Minute: "48m", 24 * time.Hour: "24h", 90 * time.Minute: "1h30m", 61 * time.Second: "1m1s", 10 * time.Minute: "10m"} {
		if got := lasting(d); got != want {
			t.Errorf("%s is written %s; %s is wanted", d, got, want)
		}
	}
}
