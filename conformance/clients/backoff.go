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
	rejected := func(x *call) bool { return x.Status() == http.StatusUnauthorized && given(x.Exchange) }
	early := func(x *call) bool { return x.early != nil && x.Limited() }
	for _, g := range s.groups {
		w.Broken = append(w.Broken, rowsOf(g.calls, early, hammering, "each before the time in Retry-After")...)
		if g.doubtful >= hammering {
			w.Unknown = g.unsure
		}
	}
	by := map[string][]*call{}
	for _, x := range s.calls {
		client := x.Caller.Host + " " + x.Request.Header.Get("User-Agent")
		by[client] = append(by[client], x)
		if x.refusal != nil || rejected(x) {
			w.Of++
		}
	}
	for _, client := range slices.Sorted(maps.Keys(by)) {
		w.Broken = append(w.Broken, rowsOf(by[client], rejected, wrongKeys, "each with a key that the service refuses")...)
	}
	return w
}

// rowsOf returns a finding for each row of at least most calls that are refused.
func rowsOf(calls []*call, refused func(*call) bool, most int, how string) (all []verdict.Finding) {
	for i := 0; i < len(calls); i++ {
		first := i
		for i < len(calls) && refused(calls[i]) {
			i++
		}
		if n := i - first; n >= most {
			took := seconds(calls[i-1].Sent.Sub(calls[first].Sent))
			all = append(all, finding("CLIENT-6", calls[first].Exchange, "requests while the key is refused",
				fmt.Sprintf("a pause; a service may ban the key after %d or fewer", most),
				fmt.Sprintf("%s in %s, all refused, %s", spec.Count(n, "request"), took, how)))
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

// row has the waits after 429s in a row to one client.
type row struct {
	first *refusal
	waits []time.Duration
}

// rows returns the series of consecutive 429s, where no two calls overlap and one client sends them.
func (s *story) rows() (all []*row) {
	for _, g := range s.groups {
		if g.overlap || s.settings.Clients > 1 || g.unsure != "" {
			continue
		}
		for i, x := range g.calls[1:] {
			switch r := g.calls[i].refusal; {
			case r == nil:
				continue
			case i == 0 || g.calls[i-1].refusal == nil:
				all = append(all, &row{first: r})
			}
			all[len(all)-1].waits = append(all[len(all)-1].waits, x.Sent.Sub(g.calls[i].Received()))
		}
	}
	return all
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
		if len(r.waits) > len(most) {
			most = r.waits
		}
		grow, ok := r.grow()
		if !ok {
			continue
		}
		if w.Of++; grow {
			w.Evidence = "the waits grew: " + list(r.waits)
			continue
		}
		w.Broken = append(w.Broken, finding("CLIENT-5", r.first.by.Exchange, "the waits after repeated 429s",
			"waits that grow exponentially",
			spec.Count(len(r.waits), "wait")+" after 429s in a row, which do not grow: "+list(r.waits)))
	}
	w.Idle = fmt.Sprintf("no client received 429s in a row, with one request at a time, so often that its waits grow, or "+
		"that %d waits of at most %s are the same; --minute 1s --per-minute 5 --freedom others-spend-the-refill causes them",
		inARow, seconds(longestSame))
	if len(most) > 0 {
		w.Idle += "; the most in a row were " + list(most)
	}
	return w
}

// waitsVary compares the first waits of at least three rows, beyond what Retry-After asked for.
func (s *story) waitsVary(*history.History) []verdict.Observation {
	var firsts []time.Duration
	for _, r := range s.rows() {
		firsts = append(firsts, r.waits[0]-r.first.asked)
	}
	if len(firsts) < 3 {
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
