package history

import "time"

// MayLag reports whether a lagging replica explains that x lacks what was shown at a time: this is younger than the
// run's patience.
func (h *History) MayLag(x Exchange, shown time.Time) bool {
	return x.Sent.Sub(shown) < h.Meta.Patience
}

// FirstShown returns when a response first showed an animal, and false if none did.
func (h *History) FirstShown(id string) (at time.Time, shown bool) {
	at, shown = h.shown()[id]
	return at, shown
}

func firstShown(all []Exchange) map[string]time.Time {
	first := map[string]time.Time{}
	for _, x := range all {
		for _, p := range x.Shown() {
			if at, known := first[p.ID]; p.ID != "" && (!known || x.Ended().Before(at)) {
				first[p.ID] = x.Ended()
			}
		}
	}
	return first
}
