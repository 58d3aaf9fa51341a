package judge

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"petconform/load/record"
)

// jointly asks whether one lawful limiter explains all that was accepted up to the mixed phase, one fill after the other:
// each fill alone may look lawful to a limiter whose minute is too short (RATE-6).
func (v *view) jointly(o *outcome, bursts []*burst) {
	all := v.alone()
	e := v.explain(bursts)
	if e.bucket && v.holds(all, 0) {
		return
	}
	if step := v.steps(bursts); step > 0 && v.holds(all, step) {
		return
	}
	fits, at := v.windowsFit(all, 0, v.alonesRefusals(all))
	if fits || v.clockFits(all) || v.counterFits(all, roughly) {
		return
	}
	if fits, _ := v.windowsFit(all, 1, nil); fits || v.disturbed(0, all[at].Ended()) {
		o.doubt("RATE-6", "the limit was reset once before its minute was over (exchange %d); the target may have been restarted", all[at].N)
		return
	}
	text := ""
	for i, b := range bursts {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%d from %s on", len(b.accepted), secs(b.first().Sent))
	}
	o.fail("RATE-6", all[at], "fills one right after the other", fmt.Sprintf("no more than %d in a minute of %s, wherever its edges lie", v.limit, secs(v.window)),
		text+" were accepted; the limit is back too soon"+v.scaledHint())
}

// alone gives what was accepted while one operation was used, over few connections.
func (v *view) alone() []*record.Record {
	var out []*record.Record
	for _, r := range v.own {
		switch r.Phase {
		case record.Headers, record.Fill, record.Recover, record.Backoff, record.Under:
			if r.Accepted() {
				out = append(out, r)
			}
		default:
			return out
		}
	}
	return out
}

// holds says whether a bucket that is refilled in steps of so many, 0 for evenly, lets everything through.
func (v *view) holds(all []*record.Record, step int) bool {
	b := burst{accepted: all}
	return v.overBucketOf(&b, float64(step)) == nil
}

// alonesRefusals gives for each 429 between the requests how many of them came before it, at most. It gives none where
// someone else may have used the key, whose requests fill a window too.
func (v *view) alonesRefusals(all []*record.Record) []int {
	if len(all) == 0 || v.foreign != nil || !v.telling(all[0]) || !v.counts() {
		return nil
	}
	var out []int
	for _, r := range v.own {
		if r.Limited() && r.Role != record.Press && r.Sent < all[len(all)-1].Sent {
			out = append(out, sort.Search(len(all), func(i int) bool { return all[i].Sent >= r.Received() }))
		}
	}
	slices.Sort(out)
	return out
}

// windowsFit says whether windows that begin with a request, each with no more than the plan, cover all the requests; each
// of the refusals has to find its window full. That many windows may begin too soon, as after a restart of the target. at is
// the first request that no window has room for.
func (v *view) windowsFit(all []*record.Record, tooSoon int, refusals []int) (fits bool, at int) {
	n := len(all)
	// reach[s][i]: a window may begin with request i, after s that began too soon.
	reach := make([][]bool, tooSoon+1)
	for s := range reach {
		reach[s] = make([]bool, n+1)
	}
	for i := 0; i <= min(n, v.limit); i++ { // a window that was open already
		reach[0][i] = true
	}
	next, refused := 0, 0
	for i := range n {
		next = max(next, i+1)
		for next < n && all[next].Received()-all[i].Sent < v.window-v.window/aside {
			next++
		}
		for refused < len(refusals) && refusals[refused] <= i {
			refused++
		}
		last := min(n, i+v.limit)
		if refused < len(refusals) && refusals[refused] < i+v.limit {
			last = refusals[refused] - 1
		}
		for s := range reach {
			if !reach[s][i] {
				continue
			}
			at = max(at, min(n-1, i+v.limit))
			for j := next; j <= last; j++ {
				reach[s][j] = true
			}
			if s < tooSoon {
				for j := i + 1; j <= last; j++ {
					reach[s+1][j] = true
				}
			}
		}
	}
	for s := range reach {
		for i := max(0, n-v.limit); i <= n; i++ {
			if reach[s][i] && (len(refusals) == 0 || refusals[len(refusals)-1] <= i || refusals[len(refusals)-1] >= i+v.limit) {
				return true, 0
			}
		}
	}
	return false, at
}

// mostArcs bounds how many edges are looked for; fewer are asked of the target then, never more.
const mostArcs = 1500

// clockFits says whether windows on the clock cover all the requests: an edge lies among any that are more than the plan,
// and between a 429 and the next request that is accepted.
func (v *view) clockFits(all []*record.Record) bool {
	var arcs []arc
	latest := time.Duration(0)
	for j, r := range all {
		latest = max(latest, r.Received())
		if i := j - v.limit; i >= 0 && latest-all[i].Sent < v.window-v.window/aside {
			arcs = append(arcs, arc{all[i].Sent, latest})
		}
	}
	if every := 1 + len(arcs)/mostArcs; every > 1 {
		kept := arcs[:0]
		for i := 0; i < len(arcs); i += every {
			kept = append(kept, arcs[i])
		}
		arcs = kept
	}
	if len(all) > 0 {
		for _, a := range v.edgesAfterRefusals() {
			if a.to <= all[len(all)-1].Received() {
				arcs = append(arcs, a)
			}
		}
	}
	return v.commonPhase(arcs, v.window, v.apart())
}

// roughly is the part by which a sliding counter may be off where all that is accepted before the mixed phase is looked at.
const roughly = 0.03

// phasesTried is in how many places the windows of a sliding counter are tried to begin.
const phasesTried = 2000

// counterFits says whether a sliding counter lets all the requests through: it weighs what the window before had by how
// much of that the trailing window still covers. It may be off by a part of the limit, since it is a guess.
// Of those that were answered by a moment one was the last that it saw, and that one saw all the others; a request that was
// under way at an edge is taken for one of the window before.
func (v *view) counterFits(all []*record.Record, off float64) bool {
	answered := slices.Clone(all)
	slices.SortStableFunc(answered, func(a, b *record.Record) int { return int(a.Received() - b.Received()) })
	most := 0.5 + float64(v.limit)*(1+1.0/phasesTried+off)
	for k := range phasesTried {
		if v.counterLets(answered, v.window*time.Duration(k)/phasesTried, most) {
			return true
		}
	}
	return false
}

// counterLets is counterFits for windows that begin at a phase.
func (v *view) counterLets(answered []*record.Record, phase time.Duration, most float64) bool {
	before, now, number := 0, 0, int64(-1)
	for _, r := range answered {
		at := r.Received() + v.window - phase
		if n := int64(at / v.window); n != number {
			if before = 0; n == number+1 {
				before = now
			}
			now, number = 0, n
		}
		if since := r.Sent + v.window - phase - v.window*time.Duration(number); since < 0 {
			if since >= -v.window {
				before++
			}
			continue
		}
		now++
		if share := 1 - float64(at%v.window)/float64(v.window); float64(now)+share*float64(before) > most {
			return false
		}
	}
	return true
}
