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

// Kinds lists every kind, the quick ones first.
func Kinds() []Kind {
	return []Kind{FirstWindow{}, ClockWindow{}, Log{}, Bucket{}, Counter{}, SteppedBucket{}, Parts{}}
}

// Account says how far a kind explains a history.
type Account struct {
	Kind Kind
	// Over are the accepted requests that the kind would have refused, and Early the refused ones that it would have accepted, as
	// indexes of History.Requests.
	Over, Early []int
	// Fitted counts how often more than the limit was accepted within a window and only the phase of the kind's clock explains it. The
	// phase is not known and is chosen to fit.
	Fitted int
	// Explaining are the kinds that explain the history. Of two kinds with the same name it has the first.
	Explaining []Kind
	// Gain is the number of tokens that a stepped bucket gains at a time; 0 for other kinds.
	Gain int
}

// Lawful says whether the kind explains the history.
func (a *Account) Lawful() bool { return a.contradictions() == 0 }

func (a *Account) contradictions() int { return len(a.Over) + len(a.Early) }

// Explain asks every kind for its account of a history and gives the one that explains it; else that of the nearest kind, which
// has the fewest contradictions. A limiter does not change its kind: where some kinds are known to explain a part of the history,
// the nearest is one of these.
func Explain(h History, partly []Kind) Account {
	e := h.events()
	var all []Account
	var explaining []Kind
	for i, k := range Kinds() {
		if len(explaining) > 0 && i >= quickKinds {
			if slices.ContainsFunc(explaining, func(other Kind) bool { return other.Name() == k.Name() }) {
				continue
			}
			e.enough = 1 // only whether the kind explains the history too
		}
		if k == (Parts{}) && !slices.Contains(partly, k) { // they come near to nearly everything
			if len(explaining) > 0 {
				break
			}
			e.enough = 1
		}
		a := k.explain(e)
		if a.Kind = k; a.Lawful() {
			explaining = append(explaining, k)
		} else if e.enough == 1 {
			continue
		}
		all = append(all, a)
	}
	nearest := -1
	for i := range all {
		candidate := len(partly) == 0 || all[i].Lawful() || slices.Contains(partly, all[i].Kind)
		if candidate && (nearest < 0 || all[i].nearer(&all[nearest], &h)) {
			nearest = i
		}
	}
	a := all[nearest]
	a.Explaining = explaining
	return a
}

// quickKinds is how many of Kinds, from the first on, need no search for the phase of a clock or a timer.
const quickKinds = 4

// nearer compares two accounts. Of two that are as far, the one is nearer whose contradictions are all of one sort, since a limiter
// that is too strict is not too lax at the same time.
func (a *Account) nearer(other *Account, h *History) bool {
	if x, y := a.far(h), other.far(h); x != y {
		return x < y
	}
	return !a.contrary() && other.contrary()
}

func (a *Account) contrary() bool { return len(a.Over) > 0 && len(a.Early) > 0 }

// far counts the contradictions of an account; requests that are accepted within one window of each other count as one.
func (a *Account) far(h *History) int { return h.Times(a.Over) + len(a.Early) }

// Sightings counts how often more than the kind allows was accepted. If the phase of a clock explains one more time, that time counts
// too: a phase that is chosen to fit one time proves nothing. It must be another time, at which more than the limit was accepted too.
func (a *Account) Sightings(h *History) int {
	n := h.Times(a.Over)
	if n > 0 && a.Fitted == 1 && h.Times(Log{}.explain(h.events()).Over) > n {
		n++
	}
	return n
}

// Times counts requests, those within one window of each other as one.
func (h *History) Times(at []int) int {
	n, last := 0, time.Duration(0)
	for _, i := range at {
		if sent := h.Requests[i].Sent; n == 0 || sent-last >= h.Window {
			n, last = n+1, sent
		}
	}
	return n
}
