package judge

import (
	"cmp"
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// burst is a run of requests from a fresh allowance, no longer than a window: what comes later may be of the next one, of
// whose beginning nothing is known.
type burst struct {
	phase record.Phase
	round int
	// all are its requests, in the order of sending, and accepted those of them that came through, by their answers.
	all      []*record.Record
	accepted []*record.Record
	// refused is the first 429, nil when none came; before counts what was accepted of
	// the requests that the target may have seen before it.
	refused *record.Record
	before  int
	// odd are the answers that are neither a success nor a 429.
	odd []*record.Record
	// cut says that it went on longer than a window.
	cut bool
}

// bursts gives the rounds of a phase that started from an allowance that nothing had been spent of for a window, but for
// the look that showed it.
func (v *view) bursts(p record.Phase) []*burst {
	var out []*burst
	for _, round := range v.rounds(p) {
		if b := v.burst(p, round); b != nil {
			out = append(out, b)
		}
	}
	return out
}

func (v *view) burst(p record.Phase, round int) *burst {
	first := -1
	for i, r := range v.own {
		if r.Phase == p && r.Round == round && r.Role == record.Spend {
			first = i
			break
		}
	}
	if first < 0 {
		return nil
	}
	b := &burst{phase: p, round: round}
	start := first
	// One request came before: the one whose answer showed that the allowance was untouched but for itself.
	if start > 0 && v.own[first].Sent-v.own[start-1].Sent < v.window/8 && v.own[start-1].Accepted() {
		start--
	}
	for i := start; i < len(v.own); i++ {
		r := v.own[i]
		mine := i < first || r.Phase == p && r.Round == round && (r.Role == record.Spend || r.Role == record.Press)
		if !mine {
			continue
		}
		if r.Received()-v.own[start].Sent > v.window-v.window/aside {
			b.cut = true
			continue
		}
		b.add(r)
	}
	if len(b.all) == 0 {
		return nil
	}
	return b
}

func (b *burst) add(r *record.Record) {
	b.all = append(b.all, r)
	switch {
	case r.Accepted():
		at := len(b.accepted)
		for at > 0 && b.accepted[at-1].Received() > r.Received() {
			at--
		}
		b.accepted = append(b.accepted, nil)
		copy(b.accepted[at+1:], b.accepted[at:])
		b.accepted[at] = r
		if b.refused == nil || r.Sent < b.refused.Received() {
			b.before++
		}
	case r.Limited():
		if b.refused == nil {
			b.refused = r
		}
	default:
		b.odd = append(b.odd, r)
	}
}

func (b *burst) first() *record.Record { return b.all[0] }

// excess is how much more than the plan came through, negative when it was less.
func (b *burst) excess(limit int) int { return len(b.accepted) - limit }

// took is the time from the first request to the last answer that was accepted.
func (b *burst) took() time.Duration {
	if len(b.accepted) == 0 {
		return 0
	}
	return b.accepted[len(b.accepted)-1].Received() - b.first().Sent
}

// coarse is by how much a target's clock may be coarse, however long its minute is.
const coarse = time.Millisecond

// overBucket gives the first request beyond what the plan's bucket holds and gains: no bucket lets it through. Wherever in
// the burst one begins to count, it holds at most the plan then.
func (v *view) overBucket(b *burst) *record.Record { return v.overBucketOf(b, 0) }

// overBucketOf is overBucket for one that holds or has gained so much more. Of all that were answered by a moment, those
// that were not sent before another moment came between the two.
func (v *view) overBucketOf(b *burst, more float64) *record.Record {
	sent := slices.Clone(b.accepted)
	slices.SortFunc(sent, func(x, y *record.Record) int { return cmp.Compare(x.Sent, y.Sent) })
	answered := slices.Clone(b.accepted)
	slices.SortFunc(answered, func(x, y *record.Record) int { return cmp.Compare(x.Received(), y.Received()) })
	best, k := math.Inf(-1), 0
	for i, r := range answered {
		for ; k < len(sent) && sent[k].Sent <= r.Received(); k++ {
			best = max(best, v.perWindow(sent[k].Sent)-float64(k))
		}
		if float64(i+1)-v.perWindow(r.Received()+coarse)+best > float64(v.limit)+more+1e-6 {
			return r
		}
	}
	return nil
}

// grain is how much more than one token the plan's bucket has to hold for sure when a 429 comes: one may be full at half a
// token less, or give whole ones only.
const grain = 0.5

// underBucket says whether a 429 came while the plan's bucket held a token and a half: then it is no bucket. A bucket that is
// never fuller than the plan holds as much as is left of it since the moment at which it was full last; whichever of the
// requests that was, it was seen by the time of its answer, and the one that was refused not before it was sent.
func (v *view) underBucket(b *burst) bool {
	if b.refused == nil || len(b.accepted) == 0 {
		return false
	}
	least := math.Inf(1)
	for k, r := range b.accepted[:b.before] {
		least = min(least, float64(v.limit-(b.before-k))+v.perWindow(b.refused.Sent-r.Received()))
	}
	return least > 1+grain+v.perWindow(v.window/(5*aside))
}

// edges gives between which times an edge of clock windows has to lie so that neither side has more than the plan, and
// whether there is such a time. An edge that the headers of the burst's first answer rule out is none.
func (v *view) edges(b *burst) (from, to time.Duration, ok bool) {
	e := b.excess(v.limit)
	if e > v.limit {
		return 0, 0, false
	}
	from, to = b.accepted[e-1].Sent, b.accepted[v.limit].Received()
	r := b.first()
	if v.telling(r) && r.Reset.Known() && r.Date.Known() {
		// Reset and Date are whole seconds, rounded up or down: the edge is later than this.
		earliest := r.Sent + time.Duration(r.Reset-r.Date-2)*time.Second
		if from = max(from, earliest); from > to {
			return 0, 0, false
		}
	}
	return from, to, true
}
