package conformance

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

func inOrder(all []exchange.Exchange) []exchange.Exchange {
	return slices.SortedStableFunc(slices.Values(all), func(a, b exchange.Exchange) int { return cmp.Compare(a.N, b.N) })
}

// JudgeCheck judges one check from a history.
func JudgeCheck(c Check, h *history.History) (verdict.Check, []verdict.Observation, []string) {
	j := &Judge{History: h, own: h.Of(c.ID)}
	v := verdict.Check{ID: c.ID, Kind: verdict.Active, Title: c.Title, Operation: c.Operation, Requirements: c.Proves, Exchanges: []int{}}
	for _, x := range j.own {
		v.Exchanges = append(v.Exchanges, x.N)
	}
	if n := len(j.own); n > 0 {
		v.MS = j.own[n-1].Ended().Sub(j.own[0].Sent).Milliseconds()
	}
	if why, skipped := skippedWhy(h, c); skipped {
		v.Verdict, v.Reason = verdict.NotRun, why
		if c.ID == getRemoved.ID || strings.Contains(why, "removed by the day") {
			v.Verdict = verdict.NotApplicable
		}
		return v, nil, nil
	}
	if c.Reads || len(j.own) > 0 {
		c.Judge(j)
	}
	v.Findings = oneEach(j.findings)
	v.Evidence = strings.Join(j.evidence, "; ")
	switch {
	case len(v.Findings) > 0:
		v.Verdict = verdict.Failed
	case len(j.lost) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(j.lost, "; ")
	case len(j.unsure) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(j.unsure, "; ")
	case !c.Reads && len(j.own) == 0:
		v.Verdict, v.Reason = verdict.NotRun, "nothing was sent for it"
	case onlyOpen(c.Proves):
		v.Verdict = verdict.Observed
	default:
		v.Verdict = verdict.Passed
	}
	if v.Evidence == "" && v.Verdict == verdict.Passed {
		v.Evidence = fmt.Sprintf("%d of %d answers as wanted", j.held, j.held)
	}
	return v, j.observed, j.lost
}

func skippedWhy(h *history.History, c Check) (string, bool) {
	if h.End == nil {
		return "", false
	}
	why, ok := h.End.Skipped[c.ID]
	return why, ok && len(h.Of(c.ID)) == 0
}

// oneEach keeps the first finding of each requirement and says how many more there are: one defect, one finding.
func oneEach(all []verdict.Finding) []verdict.Finding {
	var first []verdict.Finding
	more := map[spec.ID]int{}
	for _, f := range all {
		if more[f.Requirement]++; more[f.Requirement] == 1 {
			first = append(first, f)
		}
	}
	for i, f := range first {
		if n := more[f.Requirement]; n > 1 {
			first[i].Message += fmt.Sprintf(" (and %d more)", n-1)
		}
	}
	return first
}

func onlyOpen(ids []spec.ID) bool {
	return !slices.ContainsFunc(ids, func(id spec.ID) bool {
		r, _ := spec.TheLedger().Find(id)
		return r.Level != spec.Open
	})
}

// JudgeRecording computes the whole verdict from a recording. It sends nothing, and the same recording always gets the same.
func JudgeRecording(rec *exchange.Recording) verdict.Results {
	all, ruled := plannedBy(rec.Meta)
	return judgeHistory(rec, history.Of(rec), all, func(h *history.History) ([]verdict.Check, []verdict.Observation) {
		return rules.Judge(ruled, h)
	})
}

// judgeHistory judges a recording that has been read, by the checks and by the rules.
func judgeHistory(rec *exchange.Recording, h *history.History, all []Check,
	byRules func(*history.History) ([]verdict.Check, []verdict.Observation)) verdict.Results {
	var checks []verdict.Check
	var seen []verdict.Observation
	var lost []string
	for _, c := range all {
		v, o, l := JudgeCheck(c, h)
		checks, seen, lost = append(checks, v), append(seen, o...), append(lost, l...)
	}
	if planned(rec.Meta)(explore.CheckID) {
		checks = append(checks, explore.Judge(h))
	}
	ruled, o := byRules(h)
	return Sum(rec, h, append(checks, ruled...), append(seen, o...), lost)
}

func plannedBy(m exchange.Meta) ([]Check, []rules.Rule) {
	planned := planned(m)
	return keepIf(Checks(), func(c Check) bool { return planned(c.ID) }),
		keepIf(rules.All(), func(r rules.Rule) bool { return planned(r.ID) })
}

func planned(m exchange.Meta) func(string) bool {
	return func(id string) bool { return slices.Contains(m.Planned, id) }
}

// Sum adds checks up to requirements and to the run's verdict.
func Sum(rec *exchange.Recording, h *history.History, checks []verdict.Check, seen []verdict.Observation, lost []string) verdict.Results {
	m := rec.Meta
	checks = inCatalogueOrder(checks)
	r := verdict.Results{Schema: verdict.Schema, Kind: m.Kind, Tool: m.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: LedgerDigest(), Target: targetOf(m),
		Run: m.Run, Seed: m.Seed, Started: m.Started, AsOf: m.AsOf, Strict: m.Strict,
		Checks: checks, Observations: inLedgerOrder(seen), Requests: len(rec.Exchanges), Created: createdList(h)}
	r.Ended = m.Started
	if rec.End != nil {
		r.Ended, r.WaitedMS = rec.End.Ended, rec.End.Waited.Milliseconds()
	} else if n := len(rec.Exchanges); n > 0 {
		r.Ended = rec.Exchanges[n-1].Ended().UTC()
	}
	r.Requirements = verdict.Requirements(spec.TheLedger(), checks, m.AsOf)
	validity := validityOf(rec, h, checks, lost)
	r.Warnings = validity.Warnings
	r.Verdict, r.Reasons = verdict.Conclude(r.Requirements, validity, m.Strict)
	return r
}

func targetOf(m exchange.Meta) verdict.Target {
	return verdict.Target{URL: m.Target, Reference: m.Reference, Build: m.Build, Environment: cmp.Or(m.Environment, environmentOf(m.Target))}
}

// inCatalogueOrder and inLedgerOrder make the results the same, whatever order the checks were judged in.
func inCatalogueOrder(checks []verdict.Check) []verdict.Check {
	at := catalogueOrder()
	return slices.SortedStableFunc(slices.Values(checks), func(a, b verdict.Check) int { return cmp.Compare(at[a.ID], at[b.ID]) })
}

// catalogueOrder gives each check and rule its place: once, since thousands of variants of a recording may be judged.
var catalogueOrder = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for _, c := range Checks() {
		at[c.ID] = len(at)
	}
	at[explore.CheckID] = len(at)
	for _, r := range rules.All() {
		at[r.ID] = len(at)
	}
	return at
})

func inLedgerOrder(seen []verdict.Observation) []verdict.Observation {
	at := ledgerOrder()
	return slices.SortedStableFunc(slices.Values(seen), func(a, b verdict.Observation) int {
		return cmp.Or(cmp.Compare(at[a.Requirement], at[b.Requirement]), cmp.Compare(a.Key, b.Key))
	})
}

var ledgerOrder = sync.OnceValue(func() map[spec.ID]int {
	at := map[spec.ID]int{}
	for i, r := range spec.TheLedger().Requirements {
		at[r.ID] = i
	}
	return at
})

// LedgerDigest is the SHA-256 of the ledger that a run was judged by, in hexadecimal.
func LedgerDigest() string { return ledgerDigest() }

var ledgerDigest = sync.OnceValue(func() string {
	sum := sha256.Sum256(spec.LedgerYAML)
	return hex.EncodeToString(sum[:])
})

// createdList gives what the run left on the target.
func createdList(h *history.History) []verdict.Created {
	list := []verdict.Created{}
	for _, c := range h.Created() {
		id := json.Number(c.Answered.ID)
		if id == "" {
			id = "0"
		}
		unwanted := strings.HasPrefix(c.Exchange.Check, "create-") && strings.Contains(c.Sent.Name(), "-refused-") ||
			!c.Exchange.Auth.Valid()
		list = append(list, verdict.Created{ID: id, Name: c.Answered.Name(), Exchange: c.Exchange.N, Unwanted: unwanted})
	}
	return list
}

// environmentOf tells staging from production by the target's host, for the report; "" when it does not show.
func environmentOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	switch host := u.Hostname(); {
	case host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1":
		return "local"
	case strings.Contains(host, "staging"):
		return "staging"
	}
	return ""
}
