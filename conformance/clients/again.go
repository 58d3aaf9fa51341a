package clients

import (
	"slices"
	"time"
)

const (
	// pause is how long after a 429 its request is sent again, at least, by a client that makes it anew. A pool that
	// had queued it sends it as soon as a connection is free.
	pause = 5 * time.Millisecond
	// someTries and manyTries are how many times in a row a request is sent again, each after a pause, so that it is
	// doubtful or certain that the client made it anew, if more than fewWorkers requests are. Copies that 120 workers
	// of six requests had begun before came six times in a row, on a busy machine; of 80 and eight, four times.
	someTries, manyTries = 3, 8
	// mostQueued is the largest number of such requests in all that workers may have begun before, and mostLate that of
	// requests of any kind. More than mostQueued of any kind are doubtful: 120 workers may send them, or 12 who do not
	// wait.
	mostQueued, mostLate = 60, 500
)

// sentAgain finds the requests that a client with several workers certainly made after a 429 that it had read: those
// that are more than mostLate before the time in Retry-After, and those that are sent again and again before the time
// in their own. A copy that a worker began before the 429 comes early too, but seldom after a pause, and without
// another at its side. If it is not certain, doubtful is the number of such requests.
func (g *group) sentAgain(certain bool) (all []early, doubtful int) {
	last, row, longest := map[content]refusal{}, map[content][]early{}, map[content][]early{}
	var first refusal
	var late []early
	most := 0
	for _, x := range g.calls {
		c := contentOf(x)
		if r := last[c]; !began(x).Before(r.at.Add(pause)) && x.Sent.Before(r.until) {
			row[c] = append(row[c], early{x, r, 1})
		} else {
			row[c] = nil
		}
		if len(row[c]) > len(longest[c]) {
			longest[c] = row[c]
		}
		r, refused := refusalOf(x)
		if refused {
			r.until = r.at.Add(r.asked - r.rounding())
		}
		last[c] = r
		switch {
		case !x.Sent.Before(first.until):
			if first = r; len(late) <= mostLate {
				late = nil
			}
		case began(x).After(first.at):
			late = append(late, early{x, first, 1})
			most = max(most, len(late))
		}
	}
	if certain && len(late) > mostLate {
		return late, 0
	}
	many := 0
	for _, tries := range longest {
		if len(tries) >= someTries {
			doubtful++
		}
		if len(tries) >= manyTries {
			many, all = many+1, append(all, tries...)
		}
	}
	switch {
	case certain && many > fewWorkers && len(all) > mostQueued:
		slices.SortFunc(all, func(a, b early) int { return a.call.N - b.call.N })
		return all, 0
	case certain && most > mostQueued:
		return nil, most
	case doubtful > fewWorkers:
		return nil, doubtful
	}
	return nil, 0
}
