package clients

import (
	"fmt"
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

// rowsOf returns the calls in a row of which something holds.
func rowsOf(calls []*call, holds func(*call) bool) (rows [][]*call) {
	for i := 0; i < len(calls); i++ {
		first := i
		for i < len(calls) && holds(calls[i]) {
			i++
		}
		if first < i {
			rows = append(rows, calls[first:i])
		}
	}
	return rows
}

// noHammering finds clients that go on while they are refused. Another call of the same client ends a row of 401s.
func (s *story) noHammering(*history.History) (w rules.Whole) {
	rejected := func(c *call) bool { return c.Status() == http.StatusUnauthorized && given(c.Exchange) }
	early := func(c *call) bool { return c.early != nil && c.Limited() }
	find := func(calls []*call, refused func(*call) bool, most int, how string) {
		for _, row := range rowsOf(calls, refused) {
			if n := len(row); n >= most {
				w.Breaks(row[0].Exchange, "CLIENT-6", "requests while the key is refused",
					fmt.Sprintf("a pause; a service may ban the key after %d or fewer", most),
					fmt.Sprintf("%s in %s, all refused, %s", spec.Count(n, "request"),
						seconds(row[n-1].Sent.Sub(row[0].Sent)), how))
			}
		}
	}
	for _, g := range s.groups {
		find(g.calls, early, hammering, "each before the time in Retry-After")
		if g.doubtful >= hammering {
			w.Unknown = g.unsure
		}
	}
	for _, calls := range divided(s.calls, func(c *call) source { return source{"", c.Caller.Host, c.agent()} }) {
		find(calls, rejected, wrongKeys, "each with a key that the service refuses")
	}
	for _, c := range s.calls {
		if c.refused || rejected(c) {
			w.Of++
		}
	}
	return w
}

// rows returns the series of consecutive 429s, where no two calls overlap and one client sends them. After each of the
// 429s came another call.
func (s *story) rows() (all [][]*call) {
	for _, g := range s.groups {
		if !g.overlap && s.settings.Clients <= 1 && g.unsure == "" {
			all = append(all, rowsOf(g.calls[:len(g.calls)-1], func(c *call) bool { return c.refused })...)
		}
	}
	return all
}

// waitsOf returns the waits after the 429s in a row.
func waitsOf(row []*call) (waits []time.Duration) {
	for _, c := range row {
		waits = append(waits, c.waited)
	}
	return waits
}

// grow reports whether waits grow. ok is false if they neither grow nor stay the same for long enough.
func grow(waits []time.Duration) (grow, ok bool) {
	longest, n := slices.Max(waits), len(waits)
	switch {
	case n >= inARow && longest <= longestSame && longest <= slices.Min(waits)*same/100+noise:
		return false, true
	case n >= fewest && longest >= waits[0]*grown/100+noise:
		return true, true
	}
	return false, false
}

// waitsGrow requires no factor, since backoffs in use have random waits and a bound.
func (s *story) waitsGrow(*history.History) (w rules.Whole) {
	var most []time.Duration
	for _, row := range s.rows() {
		waits := waitsOf(row)
		if len(waits) > len(most) {
			most = waits
		}
		grow, ok := grow(waits)
		if !ok {
			continue
		}
		if w.Of++; grow {
			w.Evidence = "the waits grew: " + list(waits)
			continue
		}
		w.Breaks(row[0].Exchange, "CLIENT-5", "the waits after repeated 429s", "waits that grow exponentially",
			spec.Count(len(waits), "wait")+" after 429s in a row, which do not grow: "+list(waits))
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
	for _, row := range s.rows() {
		firsts = append(firsts, row[0].waited-row[0].asked)
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
