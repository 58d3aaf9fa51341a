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
	f := firstWindows{spans: e, marks: make([]int, n+2), filled: make([]bool, n+1)}
	for _, r := range e.refused {
		one := e.fullAt(r)
		if one.most < e.limit {
			return false
		}
		f.refused = append(f.refused, one)
	}
	slices.SortStableFunc(f.refused, func(x, y refusal) int { return x.most - y.most })
	last := f.mark(0, e.limit)
	open, ended := 0, 0
	for i := 0; i < n && i <= last; i++ {
		if open += f.marks[i]; open == 0 {
			continue
		}
		for ended = max(ended, i+1); ended < n && e.apart(ended, ended-i) < e.window-EdgeTolerance(e.window); ended++ {
		}
		reached, end := f.following(i, ended)
		if end {
			return true
		}
		last = max(last, reached)
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
	// marks has the ranges of accepted requests with which a window may begin: +1 at the first request of a range, and
	// -1 after the last.
	marks []int
	// filled[i] says that a window was full before accepted request i, which explains a refusal.
	filled []bool
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
func (f *firstWindows) following(i, ended int) (last int, end bool) {
	n, full, refused := len(f.accepted), i+f.limit, f.next(i)
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
