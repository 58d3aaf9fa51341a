package limiter

import (
	"slices"
	"sort"
)

// A fixed window that begins with the first request after the last window ended.
//
// With 3 a minute: a request at 10 s opens a window until 70 s; those at 20 s and 69 s are accepted too, and one at
// 69.5 s is refused. One at 71 s opens the next window, until 131 s. So up to 5 are accepted within 2 s, if 2 come at
// the end of a window.
//
// All ways in which the windows may have begun are considered. Each window begins with an accepted request after the
// end of the window before, and accepts up to the limit. A request must be refused only in a full window. The first
// window of the events may have begun before them.
func (e *spans) firstWindow() bool {
	n := len(e.accepted)
	f := firstWindows{spans: e, begins: make([]bool, n+1), filled: make([]bool, n+1)}
	for _, r := range e.refused {
		one := e.fullAt(r)
		if one.most < e.limit {
			return false
		}
		f.refused = append(f.refused, one)
	}
	slices.SortStableFunc(f.refused, func(x, y refusal) int { return x.most - y.most })
	f.begin(0, e.limit)
	ended := 0
	for i := range n {
		if !f.begins[i] {
			continue
		}
		for ended = max(ended, i+1); ended < n && e.apart(ended, ended-i) < e.window-EdgeTolerance(e.window); ended++ {
		}
		if f.following(i, ended) {
			return true
		}
	}
	return n == 0
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

// firstWindows finds the windows of the events.
type firstWindows struct {
	*spans
	refused []refusal
	// begins[i] says that a window may begin with accepted request i, and filled[i] that one was full before it, which
	// explains a refusal.
	begins, filled []bool
}

// begin notes that a window may begin with each of the accepted requests first to last.
func (f *firstWindows) begin(first, last int) {
	for i := first; i <= min(last, len(f.accepted)); i++ {
		f.begins[i] = true
	}
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

// following notes the requests with which the next window may begin, if one begins with request i: not before request
// ended, and not after the first request beyond the window's end or its limit. If a request is refused in the window,
// the next one begins with request i+limit. following reports whether the window may be the last one.
func (f *firstWindows) following(i, ended int) (end bool) {
	n, full, refused := len(f.accepted), i+f.limit, f.next(i)
	until := f.answered[i].to + f.window + EdgeTolerance(f.window)
	to := min(full, sort.Search(n, func(k int) bool { return f.accepted[k].from >= until }))
	if refused == len(f.refused) {
		f.begin(ended, to)
		return to >= n
	}
	r := f.refused[refused]
	f.begin(ended, min(to, r.most-1))
	if full < r.least || full > r.most || r.from >= until {
		return false
	}
	if full <= n {
		f.filled[full] = true
	}
	if full >= ended {
		f.begin(full, full)
	}
	return full == n && f.next(n) == len(f.refused)
}
