package main

import (
	"net/http"
	"runtime"
	"slices"
	"testing"
)

// TestHostileTargetsCompared: with --against, a second target that is hostile, or two of them, take no more than one does, but for
// the time, of which each of the two has its own, and no comparison with one that does not conform is green.
func TestHostileTargetsCompared(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs petconform against 102 pairs of targets")
	}
	var pairs []hostile
	for _, h := range slices.Concat(timeTargets(), framingTargets(), bodyTargets()) {
		h.compared, h.says = true, "" // what it says of one target is held to by TestHostileTargets
		pairs = append(pairs, h)
	}
	computes := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	limited := func(run func(*testing.T, hostile) hostileRow) func(*testing.T, hostile) hostileRow {
		return func(t *testing.T, h hostile) hostileRow {
			computes <- struct{}{}
			defer func() { <-computes }()
			return run(t, h)
		}
	}
	lawful := hostile{wrap: func(reference http.Handler, _ string) http.Handler { return reference }}
	t.Run("the second", func(t *testing.T) {
		tabulate(t, pairs, limited(func(t *testing.T, h hostile) hostileRow {
			h.second = true
			return h.against(t, lawful)
		}))
	})
	t.Run("both", func(t *testing.T) {
		tabulate(t, pairs, limited(func(t *testing.T, h hostile) hostileRow { return h.against(t, h) }))
	})
}

// against compares a first target with h, in a process of its own.
func (h hostile) against(t *testing.T, first hostile) hostileRow {
	t.Helper()
	second, key := h.serve(t, business())
	run := h
	run.wrap = first.wrap
	r := run.run(t, business(), func(target, dir string) []string { return append(h.arguments(target, dir), "--against", second) },
		againstKey+"="+key.Reveal())
	h.holds(t, r)
	r.key = key
	h.holds(t, r)
	return r
}
