package limiter

import (
	"slices"
	"time"
)

// Kind is a kind of limiter.
type Kind interface {
	// Name is the kind in words.
	Name() string
	explain(*events) Account
}

// Kinds lists every kind, those first that are quick to ask.
func Kinds() []Kind {
	return []Kind{FirstWindow{}, ClockWindow{}, Log{}, Bucket{}, Counter{}, SteppedBucket{}}
}

// Account is what a kind says of a history.
type Account struct {
	Kind Kind
	// Over are the accepted requests that the kind would have refused, and Early the refused ones that it would have accepted,
	// as indexes of History.Requests.
	Over, Early []int
	// Fitted counts the times that a phase of the kind's clock, which is not known and was chosen to fit, explains more
	// than the limit.
	Fitted int
	// Explaining are the kinds that explain the history.
	Explaining []Kind
	// Gain is how many requests a stepped bucket gains at a time; 0 for other kinds.
	Gain int
}

// Lawful says whether the kind explains the history.
func (a *Account) Lawful() bool { return len(a.Over)+len(a.Early) == 0 }

// Explain asks the kinds for their account of a history and gives the one that explains it; else that of the nearest kind,
// which has the fewest contradictions. A limiter does not change its kind: where some explain a part of the history, the
// nearest is one of these. The slow kinds are asked only when no quick one explains the history.
func Explain(h History, partly []Kind) Account {
	e := h.events()
	var all []Account
	for i, k := range Kinds() {
		if i >= quickKinds && slices.ContainsFunc(all, lawful) {
			break
		}
		a := k.explain(e)
		a.Kind = k
		all = append(all, a)
	}
	nearest := -1
	for i := range all {
		candidate := len(partly) == 0 || all[i].Lawful() || slices.Contains(partly, all[i].Kind)
		if candidate && (nearest < 0 || all[i].far(&h) < all[nearest].far(&h)) {
			nearest = i
		}
	}
	a := all[nearest]
	for i := range all {
		if all[i].Lawful() {
			a.Explaining = append(a.Explaining, all[i].Kind)
		}
	}
	return a
}

func lawful(a Account) bool { return a.Lawful() }

// quickKinds is how many of Kinds need no search for a phase.
const quickKinds = 4

// far is how many contradictions an account has.
func (a *Account) far(h *History) int { return h.Times(a.Over) + len(a.Early) }

// Sightings is how many times a history was seen to have more than the kind allows. A clock's phase that was chosen to fit
// a single time explains nothing: that time counts too.
func (a *Account) Sightings(h *History) int {
	n := h.Times(a.Over)
	if n > 0 && a.Fitted == 1 {
		n++
	}
	return n
}

// Times counts requests that are more than a window apart.
func (h *History) Times(at []int) int {
	n, last := 0, time.Duration(0)
	for _, i := range at {
		if sent := h.Requests[i].Sent; n == 0 || sent-last >= h.Window {
			n, last = n+1, sent
		}
	}
	return n
}
