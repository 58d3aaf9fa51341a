package limiter

import (
	"slices"
	"time"
)

type Kind interface {
	// Name returns the name of the kind, such as "sliding log".
	Name() string
	explain(*events) Account
}

func Kinds() []Kind {
	return []Kind{FirstWindow{}, ClockWindow{}, Log{}, Bucket{}, Counter{}, SteppedBucket{}, Parts{}}
}

// Account is the result of comparing a history with a kind.
type Account struct {
	Kind Kind
	// Over are the accepted requests that the kind would have refused, and Early the refused ones that it would have
	// accepted, as indexes of History.Requests.
	Over, Early []int
	// Fitted counts how often more than the limit was accepted within a window, which the kind explains only by the
	// phase of its clock. The phase is not known and is chosen to fit.
	Fitted int
	// Explaining are the kinds that explain the whole history. If two of them have the same name, it has only the
	// first.
	Explaining []Kind
	// Gain is the number of tokens that a SteppedBucket gains in one step; 0 for other kinds.
	Gain int
}

// Lawful reports whether the kind explains the history.
func (a *Account) Lawful() bool { return a.contradictions() == 0 }

func (a *Account) contradictions() int { return len(a.Over) + len(a.Early) }

// Explain compares a history with every kind, and returns the account of the nearest kind, which has the fewest
// contradictions: none, if it explains the history. partly are the kinds that explain a part of the history, if any.
// Since a limiter does not change its kind, the nearest kind is then one of partly, or one that explains the whole
// history.
func Explain(h History, partly []Kind) Account {
	e := h.events()
	var all []Account
	var explaining []Kind
	for _, k := range Kinds() {
		if slices.ContainsFunc(explaining, func(other Kind) bool { return other.Name() == k.Name() }) {
			continue
		}
		if len(explaining) > 0 {
			e.enough = 1 // all that matters is whether this kind explains the history too
		}
		if k == (Parts{}) && !slices.Contains(partly, k) { // with its many phases it is near to nearly any history
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
		if candidate && (nearest < 0 || all[i].nearer(&all[nearest], e)) {
			nearest = i
		}
	}
	a := all[nearest]
	a.Explaining = explaining
	return a
}

// nearer reports whether a is nearer to the history than other: it has contradictions of one sort only, Over or Early,
// since a limiter is not too strict and too lax at the same time, or else fewer of them.
func (a *Account) nearer(other *Account, e *events) bool {
	if a.contrary() != other.contrary() {
		return other.contrary()
	}
	return a.far(e) < other.far(e)
}

func (a *Account) contrary() bool { return len(a.Over) > 0 && len(a.Early) > 0 }

// far counts the contradictions of an account. Requests of Over within one window count as one.
func (a *Account) far(e *events) int { return e.times(a.Over) + len(a.Early) }

// Sightings counts how often more was accepted than the kind allows, at most once a window. If the phase of the kind's
// clock explains exactly one other excess over the limit, that one counts too, since a phase that is chosen to fit one
// excess proves nothing.
func (a *Account) Sightings(h *History) int {
	e := h.events()
	n := e.times(a.Over)
	if n > 0 && a.Fitted == 1 && e.times(Log{}.explain(e).Over) > n {
		n++
	}
	return n
}

// times counts requests, given as indexes of the history. Those within one window of the first of them count as one.
func (e *events) times(at []int) int {
	n, last := 0, time.Duration(0)
	for _, i := range at {
		if sent := e.any[i].from; n == 0 || sent-last >= e.window {
			n, last = n+1, sent
		}
	}
	return n
}
