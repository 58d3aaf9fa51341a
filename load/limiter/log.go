package limiter

// Log is a sliding log: it keeps the time of each request, and accepts a request if the window before it has fewer than
// Limit requests.
//
// With 3 a minute: requests at 0 s, 10 s and 50 s are accepted. One at 59 s is refused, since the minute before it has
// 3 requests. One at 60 s is accepted, since the one at 0 s is a minute old. One at 65 s is refused, because of those
// at 10 s, 50 s and 60 s.
type Log struct{}

func (Log) Name() string { return "sliding log" }

// explain compares the k-th accepted request with the (k-limit)-th: they must be a window apart. The limiter saw its
// k-th accepted request, whichever that was, after the k-th of them was sent and before the k-th response.
func (Log) explain(e *spans) Account {
	var a Account
	for j := e.limit; j < len(e.answered); j++ {
		if e.answered[j].to-e.accepted[j-e.limit].from < e.window-EdgeTolerance(e.window) {
			a.Over = append(a.Over, e.answered[j].at)
		}
	}
	for _, r := range e.refused {
		if e.countBefore(e.any, r, e.trailing(r)) < e.limit {
			a.Early = append(a.Early, r.at)
		}
	}
	return a
}
