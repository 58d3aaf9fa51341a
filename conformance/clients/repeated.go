package clients

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

const (
	// hammering is the number of refused requests in a row, each before the time in Retry-After, that breaks CLIENT-6.
	hammering = 5
	// wrongKeys is the number of 401s in a row that breaks CLIENT-6. The tests of a client may send a few wrong keys.
	wrongKeys = 10
)

// noHammering finds clients that go on while they are refused. Another call of the same client ends a row of 401s.
func (s *story) noHammering(*history.History) (w rules.Whole) {
	rejected := func(x history.Exchange) bool { return x.Status() == http.StatusUnauthorized && given(x) }
	w.Of = count(s.calls, func(x history.Exchange) bool { return isRefusal(x) || rejected(x) })
	for _, g := range s.groups {
		isEarly := map[int]bool{}
		for _, e := range g.early {
			isEarly[e.call.N] = true
		}
		early := func(x history.Exchange) bool { return isEarly[x.N] && x.Limited() }
		w.Broken = append(w.Broken, rowsOf(g.calls, early, hammering, "each before the time in Retry-After")...)
		if g.doubtful >= hammering {
			w.Unknown = s.unsure(g)
		}
	}
	by := map[string][]history.Exchange{}
	for _, x := range s.calls {
		client := x.Caller.Host + " " + x.Request.Header.Get("User-Agent")
		by[client] = append(by[client], x)
	}
	for _, client := range slices.Sorted(maps.Keys(by)) {
		w.Broken = append(w.Broken, rowsOf(by[client], rejected, wrongKeys, "each with a key that the service refuses")...)
	}
	return w
}

// rowsOf returns a finding for each row of at least most calls that are refused.
func rowsOf(calls []history.Exchange, refused func(history.Exchange) bool, most int, how string) (all []verdict.Finding) {
	for i := 0; i < len(calls); i++ {
		first := i
		for i < len(calls) && refused(calls[i]) {
			i++
		}
		if n := i - first; n >= most {
			all = append(all, finding("CLIENT-6", calls[first], "requests while the key is refused",
				fmt.Sprintf("a pause; a service may ban the key after %d or fewer", most),
				fmt.Sprintf("%s in %s, all refused, %s", spec.Count(n, "request"), seconds(calls[i-1].Sent.Sub(calls[first].Sent)), how)))
		}
	}
	return all
}

const (
	// inARow is the number of waits in a row that have to be the same, and none longer than longestSame, before the
	// client is said to have no exponential backoff. A backoff from 10 ms that doubles, and that Retry-After hides at
	// first, is longer by then; bounds of a backoff in common use are of 5 s and more. Of a backoff from 100 ms with full
	// jitter, beside a Retry-After of 2 s, one row in 160,000 stays below both.
	inARow, longestSame = 12, 2300 * time.Millisecond
	// fewest is the number of waits that show a growth.
	fewest = 3
	// same and grown are the ratio, in percent, of the longest wait to the shortest of those that are the same, and to
	// the first of those that grow; noise is what a busy machine may add.
	same, grown = 110, 150
	noise       = 15 * time.Millisecond
)

// row are 429s in a row to one client.
type row struct {
	// first is the call of the first 429, and beyond the first wait less what Retry-After asked for.
	first  history.Exchange
	beyond time.Duration
	waits  []time.Duration
}

// rows returns the series of consecutive 429s, where no two calls overlap and one client sends them.
func (s *story) rows() (all []row) {
	for _, g := range s.groups {
		if g.overlap || s.settings.Clients > 1 || s.unsure(g) != "" {
			continue
		}
		var open row
		for i, x := range g.calls[1:] {
			r, refused := refusalOf(g.calls[i])
			switch {
			case !refused:
				all, open = append(all, open), row{}
				continue
			case len(open.waits) == 0:
				open.first, open.beyond = r.call, x.Sent.Sub(r.at)-r.asked
			}
			open.waits = append(open.waits, x.Sent.Sub(r.at))
		}
		all = append(all, open)
	}
	return slices.DeleteFunc(all, func(r row) bool { return len(r.waits) == 0 })
}

// grow reports whether the waits grow. ok is false if they neither grow nor stay the same for long enough.
func (r row) grow() (grow, ok bool) {
	longest, n := slices.Max(r.waits), len(r.waits)
	switch {
	case n >= inARow && longest <= longestSame && longest <= slices.Min(r.waits)*same/100+noise:
		return false, true
	case n >= fewest && longest >= r.waits[0]*grown/100+noise:
		return true, true
	}
	return false, false
}

// waitsGrow requires no factor, since backoffs in use have random waits and a bound.
func (s *story) waitsGrow(*history.History) (w rules.Whole) {
	var most []time.Duration
	for _, r := range s.rows() {
		grow, ok := r.grow()
		if len(r.waits) > len(most) {
			most = r.waits
		}
		if ok {
			w.Of++
		}
		if ok && grow {
			w.Evidence = "the waits grew: " + list(r.waits)
		} else if ok {
			w.Broken = append(w.Broken, finding("CLIENT-5", r.first, "the waits after repeated 429s", "waits that grow exponentially",
				spec.Count(len(r.waits), "wait")+" after 429s in a row, which do not grow: "+list(r.waits)))
		}
	}
	w.Idle = fmt.Sprintf("no client received 429s in a row, with one request at a time, so often that its waits grow, or "+
		"that %d waits of at most %s are the same; --minute 1s --per-minute 5 --freedom others-spend-the-refill causes them",
		inARow, seconds(longestSame))
	if len(most) > 0 {
		w.Idle += "; the most in a row were " + list(most)
	}
	return w
}

// jitterRows is the number of rows of 429s that have to be compared before waits are said to be the same.
const jitterRows = 3

// waitsVary compares the first waits of rows, beyond what Retry-After asked for.
func (s *story) waitsVary(*history.History) []verdict.Observation {
	var firsts []time.Duration
	for _, r := range s.rows() {
		firsts = append(firsts, r.beyond)
	}
	if len(firsts) < jitterRows {
		return nil
	}
	value := "the waits vary"
	if slices.Max(firsts)-slices.Min(firsts) <= noise {
		value = "the waits are the same"
	}
	return []verdict.Observation{{Requirement: "CLIENT-7", Key: "jitter", Value: value}}
}

// list joins durations for a message.
func list(waits []time.Duration) string {
	var words []string
	for _, wait := range waits[:min(len(waits), 8)] {
		words = append(words, seconds(wait))
	}
	if len(waits) > len(words) {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}
