package limiter

// Log is a sliding log: it keeps the time of each request and accepts one while fewer than the limit lie in the window that
// ends with it.
//
// With 3 a minute: requests at 0 s, 10 s and 50 s are accepted. One at 59 s is refused, since 3 lie in the minute before it.
// One at 60 s is accepted, since the one at 0 s has left. One at 65 s is refused: 10 s, 50 s and 60 s lie in its minute.
type Log struct{}

// Name is the kind in words.
func (Log) Name() string { return "sliding log" }

// explain compares the k-th accepted request with the one that is limit before it. The limiter saw the k-th after the k-th sending and
// before the k-th response.
func (Log) explain(e *events) Account {
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
