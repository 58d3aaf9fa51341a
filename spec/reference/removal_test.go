package reference

import (
	"testing"
	"time"

	"petconform/spec"
)

func TestRemovalIsAnnounced(t *testing.T) {
	s := newService(t, testConfig())
	for _, path := range []string{"/pets/1", "/pets/77"} {
		ask(t, s, "POST", "/pets", `{"name":"a","categoryId":1}`)
		h := ask(t, s, "GET", path, "").Header()
		if h.Get("Deprecation") != "@1735689600" || h.Get("Sunset") != "Thu, 05 Dec 2030 00:00:00 GMT" {
			t.Errorf("%s: the deprecation is announced as %q and %q", path, h.Get("Deprecation"), h.Get("Sunset"))
		}
	}
}

// getPet must work until 5 December 2030 begins, and is gone when that day has ended.
func TestGetPetIsRemovedOnItsDay(t *testing.T) {
	for _, row := range []struct {
		day      time.Time
		freedoms []string
		want     int
	}{
		{spec.Removal.Add(-time.Second), nil, 200},
		{spec.Removal.Add(23 * time.Hour), nil, 200},
		{spec.Removal.Add(24 * time.Hour), nil, 410},
		{spec.Removal.Add(-time.Second), []string{"removed-on-time"}, 200},
		{spec.Removal, []string{"removed-on-time"}, 410},
	} {
		cfg := testConfig()
		cfg.Now, cfg.Seed, cfg.Freedoms = (&clock{row.day}).Now, 1, row.freedoms
		w := ask(t, newService(t, cfg), "GET", "/pets/1", "")
		if w.Code != row.want {
			t.Errorf("on %s with %v: want %d, got %d", row.day, row.freedoms, row.want, w.Code)
		}
		cfg.Now, cfg.AsOf = (&clock{spec.Removal.AddDate(-3, 0, 0)}).Now, row.day
		if w := ask(t, newService(t, cfg), "GET", "/pets/1", ""); w.Code != row.want {
			t.Errorf("as of %s with %v: want %d, got %d", row.day, row.freedoms, row.want, w.Code)
		}
	}
}
