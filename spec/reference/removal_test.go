package reference

import (
	"testing"
	"time"

	"petconform/spec"
)

// getPet must work until 5 December 2030 begins, and is gone when that day has ended.
func TestGetPetIsRemovedOnItsDay(t *testing.T) {
	for _, row := range []struct {
		day  time.Time
		want int
	}{
		{spec.Removal.Add(-time.Second), 200},
		{spec.Removal.Add(23 * time.Hour), 200},
		{spec.Removal.Add(24 * time.Hour), 410},
	} {
		cfg := testConfig()
		cfg.Now, cfg.Seed = (&clock{row.day}).Now, 1
		w := ask(t, newService(t, cfg), "GET", "/pets/1", "")
		if w.Code != row.want {
			t.Errorf("on %s: want %d, got %d", row.day, row.want, w.Code)
		}
		cfg.Now, cfg.AsOf = (&clock{spec.Removal.AddDate(-3, 0, 0)}).Now, row.day
		if w := ask(t, newService(t, cfg), "GET", "/pets/1", ""); w.Code != row.want {
			t.Errorf("as of %s: want %d, got %d", row.day, row.want, w.Code)
		}
	}
}
