package limiter

import (
	"slices"
	"sort"
)

// FirstWindow is a fixed window that begins with the first request after the last window ended.
//
// With 3 a minute: a request at 10 s opens a window until 70 s; those at 20 s and 69 s are accepted too, and one at
// 69.5 s is refused. One at 71 s opens the next window, until 131 s. So up to 5 are accepted within 2 s, if 2 come at
// the end of a window.
type FirstWindow struct{}

func (FirstWindow) Name() string { return "fixed window from the first request" }

// explain considers all ways in which the windows may have begun. Each window begins with an accepted request after the
// end of the window before, and accepts up to the limit. A request must be refused only in a full window.
func (FirstWindow) explain(e *spans) Account {
	var a Account
	f := firstWindows{spans: e, marks: make([]int, len(e.accepted)+2), filled: make([]bool, len(e.accepted)+1)}
	a.Over = f.over(e.limit)
	if len(f.over(0)) > len(a.Over) { // a window that began before the history explains one excess
		a.fitted = 1
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
	for { // each refusal can be explained alone; remove those that can't be explained together with the others
		at, blocking := f.follow(0, e.limit)
		if at < 0 || blocking == len(f.refused) {
			return a
		}
		a.Early = append(a.Early, f.refused[blocking].at)
		f.refused = slices.Delete(f.refused, blocking, blocking+1)
	}
}

// over returns the accepted requests that are too many for any window, if the first window begins with one of the
// accepted requests 0 to first. After each of them the count starts again, as if a new window began with it.
func (f *firstWindows) over(first int) (over []int) {
	for at, _ := f.follow(0, first); at >= 0; at, _ = f.follow(at, at) {
		over = append(over, f.accepted[at].at)
	}
	return over
}

// refusal is a refused request with the least and the most accepted requests that the limiter may have seen before it.
type refusal struct {
	span
	least, most int
}

// fullAt returns r with the bounds of the accepted requests before it. Each Unknown request of its window may have been
// counted.
func (e *spans) fullAt(r span) refusal {
	one := refusal{span: r, most: sort.Search(len(e.accepted), func(i int) bool { return e.accepted[i].from > r.to })}
	one.least = sort.Search(len(e.answered), func(i int) bool { return e.answered[i].to > r.from })
	since := e.trailing(r)
	one.most += e.countBefore(e.counted, r, since) - e.countBefore(e.accepted, r, since)
	return one
}

// firstWindows finds the windows of a history. The limiter saw its i-th accepted request, whichever that was, after the
// i-th of them was sent and before the i-th response.
type firstWindows struct {
	*spans
	refused []refusal
	// marks has the ranges of requests with which a window may begin: +1 at the first request of a range, and -1 after
	// the last.
	marks []int
	// filled[i] says that a window was full before accepted request i, which explains a refusal.
	filled []bool
}

// fits reports whether some window may be full at a refused request.
func (f *firstWindows) fits(r refusal) bool {
	for p := r.least; p <= min(r.most, len(f.accepted)); p++ {
		if i := p - f.limit; i >= 0 && r.from < f.answered[i].to+f.window+EdgeTolerance(f.window) {
			return true
		}
	}
	return r.most-f.limit >= 0 && r.most > len(f.accepted)
}

// follow finds the windows if the first one begins with one of the accepted requests from, …, to. It returns the
// accepted request that is too many for any window, or -1 if there is none, and the refused request that may be the
// cause.
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
		for ended = max(ended, i+1); ended < n && f.answered[ended].to-f.accepted[i].from < f.window-EdgeTolerance(f.window); ended++ {
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

// mark notes that a window may begin with each of the accepted requests first to last. It returns the last of them, or
// -1 if none is.
func (f *firstWindows) mark(first, last int) int {
	if last = min(last, len(f.accepted)); first > last {
		return -1
	}
	f.marks[first]++
	f.marks[last+1]--
	return last
}

// next returns the first refused request that the limiter may have seen after accepted request i. It skips those that
// it may also have seen before, if a full window explains them.
func (f *firstWindows) next(i int) int {
	k := sort.Search(len(f.refused), func(k int) bool { return f.refused[k].most > i })
	for f.filled[i] && k < len(f.refused) && f.refused[k].least <= i {
		k++
	}
	return k
}

// following marks the requests with which the next window may begin, if one begins with request i: not before request
// ended, and not after the first request beyond the window's end or its limit. If a request is refused in the window,
// the next one begins with request i+limit. following returns the last marked request. end says that the window may be
// the last one.
func (f *firstWindows) following(i, ended, refused int) (last int, end bool) {
	n, full := len(f.accepted), i+f.limit
	until := f.answered[i].to + f.window + EdgeTolerance(f.window)
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
