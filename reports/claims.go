package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"petconform/reports/decision"
	"petconform/spec"
	"petconform/spec/verdict"
)

// claims are what is read of results.json, which anyone may have written: what names the run, its verdict, and the gates
// of its report. What the run found is not read, since its recordings show it; so no file takes much memory.
type claims struct {
	Schema, Kind, Tool, Run, Unjudged string
	Verdict                           verdict.Run
	Target                            struct {
		URL, Build, Environment string
		Reference               bool
	}
	Seed                 uint64
	Started, Ended, AsOf time.Time
	Strict               bool
	Release              struct{ Policy decision.Policy }
}

// claimsOf returns nil unless data are results of this layout.
func claimsOf(data []byte) *claims {
	var c claims
	if json.Unmarshal(data, &c) != nil || c.Schema != verdict.Schema {
		return nil
	}
	return &c
}

// unjudged returns the results of the run if its recordings cannot be judged.
func (c claims) unjudged(why error) verdict.Results {
	r := verdict.Results{Kind: c.Kind, Verdict: c.Verdict, Tool: c.Tool, Run: c.Run, Seed: c.Seed, Started: c.Started,
		Ended: c.Ended, AsOf: c.AsOf, Strict: c.Strict, Target: verdict.Target{URL: c.Target.URL, Build: c.Target.Build,
			Environment: c.Target.Environment, Reference: c.Target.Reference}}
	if c.Unjudged != "" {
		why = errors.New(c.Unjudged)
	} else if c.Verdict != "" {
		why = fmt.Errorf("%s claims %s, which cannot be judged again: %w", ResultsFile, r.InWords(), why)
	}
	return Unjudged(r, why.Error())
}

// Unjudged completes the results of a run that cannot be judged, from what names the run.
func Unjudged(r verdict.Results, why string) verdict.Results {
	r.Schema, r.InterfaceVersion, r.LedgerDigest = verdict.Schema, spec.InterfaceVersion, spec.LedgerDigest()
	r.Requirements, r.Unjudged = verdict.Requirements(spec.TheLedger().Requirements, nil, r.AsOf), why
	r.Checks, r.Created = []verdict.Check{}, []verdict.Created{}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
