package history

import "time"

// MayLag reports whether a lagging replica explains that x lacks what was shown at a time: this is younger than the run's patience.
func (h *History) MayLag(x Exchange, shown time.Time) bool {
	return x.Sent.Sub(shown) < h.Meta.Patience
}

// FirstShown returns when a response first showed an animal, and false if none did.
func (h *History) FirstShown(id string) (at time.Time, shown bool) {
	for _, x := range h.All {
		for _, p := range x.Shown() {
			if p.ID == id && (!shown || x.Ended().Before(at)) {
				at, shown = x.Ended(), true
			}
		}
	}
	return at, shown
}
