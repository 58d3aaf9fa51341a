package limiter

import "slices"

// Kind is a kind of limiter that "60 requests per minute" may mean.
type Kind interface {
	// Name returns the name of the kind, such as "sliding log".
	Name() string
	explain(*spans) Account
}

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{FirstWindow{}, ClockWindow{}, Log{}, Bucket{}, Counter{}, SteppedBucket{}, Parts{}}
}

// Account is the result of comparing a history with a kind.
type Account struct {
	Kind Kind
	// Over are the accepted requests that the kind would have refused, and Early the refused ones that it would have
	// accepted, as indexes of History.Events.
	Over, Early []int
	// Explaining are the kinds that explain the whole history. If two of them have the same name, it has only the
	// first.
	Explaining []Kind
	// fitted counts how often more than the limit was accepted within a window, which the kind explains only by the
	// phase of its clock. The phase is not known and is chosen to fit.
	fitted int
	// gain is the number of tokens that a SteppedBucket gains in one step; 0 for other kinds.
	gain int
}

// Lawful reports whether the kind explains the history.
func (a *Account) Lawful() bool { return a.contradictions() == 0 }

func (a *Account) contradictions() int { return len(a.Over) + len(a.Early) }

// Explain compares a whole history with some kinds.
func Explain(h *History, among []Kind) Account {
	return explain(h.spans(func(int) bool { return true }), among)
}

// explain compares events with every kind, and returns the account of the nearest kind, which has the fewest
// contradictions: none, if it explains the events. among, if any, are the kinds of which the nearest one is.
func explain(e *spans, among []Kind) Account {
	var all []Account
	var explaining []Kind
	for _, k := range Kinds() {
		if len(among) > 0 && !slices.Contains(among, k) || slices.ContainsFunc(explaining, func(x Kind) bool { return x.Name() == k.Name() }) {
			continue
		}
		if e.enough = 0; len(explaining) > 0 || k == (Parts{}) && len(among) == 0 {
			// All that matters is whether this kind explains the events too. Parts, with their many phases, are near to
			// nearly any history.
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
	nearest := 0
	for i := range all {
		if all[i].nearer(&all[nearest], e) {
			nearest = i
		}
	}
	a := all[nearest]
	a.Explaining = explaining
	return a
}

// nearer reports whether a is nearer to the history than other: it has contradictions of one sort only, Over or Early,
// since a limiter is not too strict and too lax at the same time, or else fewer of them.
func (a *Account) nearer(other *Account, e *spans) bool {
	if a.contrary() != other.contrary() {
		return other.contrary()
	}
	return a.far(e) < other.far(e)
}

func (a *Account) contrary() bool { return len(a.Over) > 0 && len(a.Early) > 0 }

// far counts the contradictions of an account. Requests of Over within one window count as one.
func (a *Account) far(e *spans) int { return e.times(a.Over) + len(a.Early) }

// excesses returns Over. If the phase of the kind's clock explains exactly one other excess over the limit, that one
// counts too, since a phase that is chosen to fit one excess proves nothing.
func (a *Account) excesses(e *spans) []int {
	if len(a.Over) == 0 || a.fitted != 1 {
		return a.Over
	}
	for _, i := range (Log{}).explain(e).Over {
		near := func(at int) bool { return (e.any[at].from - e.any[i].from).Abs() < e.window }
		if !slices.ContainsFunc(a.Over, near) {
			return append([]int{i}, a.Over...)
		}
	}
	return a.Over
}
