package limiter

import (
	"slices"
	"sort"
)

// FirstWindow is a fixed window that begins with the first request after the last window ended.
//
// With 3 a minute: a request at 10 s opens a window until 70 s; those at 20 s and 69 s are accepted too, and one at 69.5 s is
// refused. One at 71 s opens the next window, until 131 s. So 5 may be accepted within 2 s, but only once a window.
type FirstWindow struct{}

// Name is the kind in words.
func (FirstWindow) Name() string { return "fixed window from the first request" }

// explain follows all ways in which windows may have begun. Each begins with an accepted request, no sooner than the one
// before ended, and has room for the limit; each refused request finds its window full.
func (FirstWindow) explain(e *events) Account {
	var a Account
	f := firstWindows{events: e, marks: make([]int, len(e.accepted)+2), filled: make([]bool, len(e.accepted)+1)}
	a.Over = f.over(e.limit)
	if len(f.over(0)) > len(a.Over) { // a window that was open before the history began explains one
		a.Fitted = 1
	}
	for _, r := range e.refused {
		if one := e.fullAt(r); f.fits(one) {
			f.refused = append(f.refused, one)
		} else {
			a.Early = append(a.Early, r.at)
		}
	}
	if len(a.Over) > 0 {
		return a
	}
	slices.SortStableFunc(f.refused, func(x, y refusal) int { return x.most - y.most })
	for { // each of these is explained alone; are they together?
		at, blocking := f.follow(0, e.limit)
		if at < 0 || blocking == len(f.refused) {
			return a
		}
		a.Early = append(a.Early, f.refused[blocking].at)
		f.refused = slices.Delete(f.refused, blocking, blocking+1)
	}
}

// over are the accepted requests that no window has room for, where the first window begins with one of the first requests.
// After each a new window is taken to begin.
func (f *firstWindows) over(first int) (over []int) {
	for at, _ := f.follow(0, first); at >= 0; at, _ = f.follow(at, at) {
		over = append(over, f.accepted[at].at)
	}
	return over
}

// refusal is a refused request, with how many of the accepted ones may have come before it.
type refusal struct {
	span
	least, most int
}

// fullAt places a refused request among the accepted ones. Each unknown request in its window may have been counted.
func (e *events) fullAt(r span) refusal {
	one := refusal{span: r, most: sort.Search(len(e.accepted), func(i int) bool { return e.accepted[i].from > r.to })}
	one.least = sort.Search(len(e.answered), func(i int) bool { return e.answered[i].to > r.from })
	since := e.trailing(r)
	one.most += len(e.before(e.counted, r, since)) - len(e.before(e.accepted, r, since))
	return one
}

// The i-th request that the limiter accepted was seen between the i-th sending and the i-th answer, whichever it was.
type firstWindows struct {
	*events
	refused []refusal
	// marks are +1 where a stretch of possible beginnings starts, and -1 after its end.
	marks []int
	// filled says that a window was full before accepted request i, for those that a refused request asks for.
	filled []bool
}

// fits says whether some window may be full at a refused request.
func (f *firstWindows) fits(r refusal) bool {
	for p := r.least; p <= min(r.most, len(f.accepted)); p++ {
		if i := p - f.limit; i >= 0 && r.from < f.answered[i].to+f.window+f.window/edgeTolerance {
			return true
		}
	}
	return r.most-f.limit >= 0 && r.most > len(f.accepted)
}

// follow follows windows whose first one begins between two of the accepted requests. It gives the accepted request that
// no window has room for, -1 when there is none, and the refused request that may be the reason.
func (f *firstWindows) follow(from, to int) (at, blocking int) {
	n := len(f.accepted)
	if n == 0 {
		return -1, len(f.refused)
	}
	clear(f.marks)
	clear(f.filled)
	last := f.mark(from, to)
	open, ended := 0, 0
	for i := from; i < n; i++ {
		if i > last {
			return at, blocking
		}
		if open += f.marks[i]; open == 0 {
			continue
		}
		for ended = max(ended, i+1); ended < n && f.answered[ended].to-f.accepted[i].from < f.window-f.window/edgeTolerance; ended++ {
		}
		at = max(at, min(n-1, i+f.limit))
		blocking = f.next(i)
		reached, end := f.following(i, ended, blocking)
		if end {
			return -1, len(f.refused)
		}
		last = max(last, reached)
	}
	return at, blocking
}

func (f *firstWindows) mark(from, to int) int {
	if to = min(to, len(f.accepted)); from > to {
		return -1
	}
	f.marks[from]++
	f.marks[to+1]--
	return to
}

// next is the first refused request that came after accepted request i, or may have when no full window explains it.
func (f *firstWindows) next(i int) int {
	k := sort.Search(len(f.refused), func(k int) bool { return f.refused[k].most > i })
	for f.filled[i] && k < len(f.refused) && f.refused[k].least <= i {
		k++
	}
	return k
}

// following marks where the window after the one that begins with request i may begin: not before request ended, no later
// than the window's time and its room allow, and right after the limit when a request is refused in it. end says that
// the window may be the last one.
func (f *firstWindows) following(i, ended, refused int) (last int, end bool) {
	n, full := len(f.accepted), i+f.limit
	until := f.answered[i].to + f.window + f.window/edgeTolerance
	to := min(full, sort.Search(n, func(k int) bool { return f.accepted[k].from >= until }))
	if refused == len(f.refused) {
		return f.mark(ended, to), to >= n
	}
	r := f.refused[refused]
	last = f.mark(ended, min(to, r.most-1))
	if full < r.least || full > r.most || r.from >= until {
		return last, false
	}
	if full <= n {
		f.filled[full] = true
	}
	if full >= ended {
		last = max(last, f.mark(full, full))
	}
	return last, full == n && f.next(n) == len(f.refused)
}
