package judge

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Sum adds judgements up to requirements and to the run's verdict. faults are specs that ended without a judgement.
func Sum(rec *exchange.Recording, h *history.History, all []Judgement, faults []string) verdict.Results {
	m := rec.Meta
	var judged []verdict.Check
	var seen []verdict.Observation
	var lost []string
	for _, j := range resolve(all) {
		judged = append(judged, j.Check)
		seen, lost = append(seen, j.Seen...), append(lost, j.Lost...)
	}
	// The results are the same, whatever order the checks were judged in.
	slices.SortStableFunc(judged, func(a, b verdict.Check) int { return catalogueOrder()[a.ID] - catalogueOrder()[b.ID] })
	slices.SortStableFunc(seen, func(a, b verdict.Observation) int {
		return cmp.Or(ledgerOrder()[a.Requirement]-ledgerOrder()[b.Requirement], cmp.Compare(a.Key, b.Key))
	})
	r := verdict.Results{Schema: verdict.Schema, Kind: m.Kind, Tool: m.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: LedgerDigest(), Target: targetOf(m, rec.Exchanges),
		Run: m.Run, Seed: m.Seed, Started: m.Started, AsOf: m.AsOf, Strict: m.Strict, Deep: m.Deep && !m.Fitted,
		Checks: judged, Observations: seen, Requests: len(rec.Exchanges), Created: createdList(h)}
	r.Ended = m.Started
	if rec.End != nil {
		r.Ended, r.WaitedMS = rec.End.Ended, rec.End.Waited.Milliseconds()
	} else if n := len(rec.Exchanges); n > 0 {
		r.Ended = rec.Exchanges[n-1].Ended().UTC()
	}
	r.Requirements = verdict.Requirements(spec.TheLedger().Requirements, judged, m.AsOf)
	r.Size = SizeOf(rec, spec.Number(int64(r.Requests)))
	validity := validityOf(rec, h, judged, lost)
	validity.Incomplete = append(validity.Incomplete, faults...)
	validity.Part = m.Filtered || m.ReadOnly || verdict.AnotherTime(m.AsOf, m.Started)
	r.Warnings = validity.Warnings
	r.Conclude(validity)
	return r
}

// resolve completes the reasons of inconclusive checks by what was found at the exchanges that they name.
func resolve(all []Judgement) []Judgement {
	found := map[int]spec.ID{}
	for _, j := range all {
		for _, f := range j.Check.Findings {
			for _, c := range slices.Concat(f.Cases, []verdict.Case{{Exchanges: []int{f.Exchange}}}) {
				for _, n := range c.Exchanges {
					if id, known := found[n]; !known || ledgerOrder()[f.Requirement] < ledgerOrder()[id] {
						found[n] = f.Requirement
					}
				}
			}
		}
	}
	all = slices.Clone(all)
	for i := range all {
		c, because := &all[i].Check, []spec.ID{}
		for _, n := range all[i].Doubtful {
			if id, known := found[n]; known && !slices.Contains(because, id) && n > 0 {
				because = append(because, id)
			}
		}
		if c.Verdict == verdict.Inconclusive && len(all[i].Lost) == 0 && len(because) > 0 {
			c.Because, c.Reason = because, fmt.Sprintf("%s (see %s)", c.Reason, spec.Join(because, ", "))
		}
	}
	return all
}

func targetOf(m exchange.Meta, all []exchange.Exchange) verdict.Target {
	t := verdict.Target{URL: m.Target, Reference: m.Reference, Build: m.Build, Environment: m.Environment, Way: m.Way, Flags: m.Flags}
	t.Stack = hint.Seen(all)
	for _, x := range all {
		if x.Response != nil {
			t.Answered(x.Response.Proto, 1)
		}
	}
	return t
}

// catalogueOrder gives each check and rule its place: once, since thousands of variants of a recording may be judged.
var catalogueOrder = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for _, c := range plan.All() {
		at[c.ID] = len(at)
	}
	at[ExploreID] = len(at)
	for _, r := range Rules() {
		at[r.ID] = len(at)
	}
	return at
})

var ledgerOrder = sync.OnceValue(func() map[spec.ID]int {
	at := map[spec.ID]int{}
	for i, r := range spec.TheLedger().Requirements {
		at[r.ID] = i
	}
	return at
})

// LedgerDigest is the SHA-256 of the ledger that a run was judged by, in hexadecimal.
var LedgerDigest = sync.OnceValue(func() string { return fmt.Sprintf("%x", sha256.Sum256(spec.LedgerYAML)) })

// createdList returns what the run left on the target.
func createdList(h *history.History) []verdict.Created {
	list := []verdict.Created{}
	for _, c := range h.Created() {
		one := c.Result()
		row, _ := plan.RowOf(c.Exchange.Check, c.Exchange.Step)
		one.Unwanted = row.Writes() && !plan.Creates(row)
		list = append(list, one)
	}
	return list
}
