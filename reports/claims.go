package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// mostQuoted is how many characters of a file a sentence quotes.
const mostQuoted = 200

// ParseResults parses results.json, whose layout results.schema.json describes.
func ParseResults(data []byte) (res verdict.Results, err error) {
	var head struct {
		Schema string          `json:"schema"`
		Load   json.RawMessage `json:"load"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return res, fmt.Errorf("not results in JSON: %s", safe.Clip(err.Error(), mostQuoted))
	} else if weight(data)-weight(head.Load) > heaviest {
		return res, errors.New("more objects or values beside the load block than results have: " +
			"at most half a million objects, or 4 million values")
	} else if head.Schema != verdict.Schema {
		return res, fmt.Errorf("schema %q instead of %q", safe.Clip(head.Schema, mostQuoted), verdict.Schema)
	}
	if err := json.Unmarshal(data, &res); err != nil {
		return verdict.Results{}, errors.New(safe.Clip(err.Error(), mostQuoted)) // it may quote a value of any length
	}
	return res, nil
}

// heaviest is the largest weight of results.json, which anyone may have written. A check in memory takes 100 times the
// bytes of "{}", so an object or a list weighs 8, and any other value 1. The load block stays text, and may weigh more.
const heaviest = 4 << 20

func weight(data []byte) int {
	count := func(mark string) int { return bytes.Count(data, []byte(mark)) }
	return 8*(count("{")+count("[")) + count(",")
}

// compared says so where results.json claims another verdict than the recordings show. The recording of a run that was
// interrupted need not show it.
func (one recorded) compared(judged Input) []string {
	rec := judged.Recording
	broken := rec != nil && (rec.End == nil || rec.End.Stopped != "" || rec.Torn)
	if one.claimed == nil || broken || one.claimed.Verdict == judged.Results.Verdict {
		return nil
	}
	return []string{fmt.Sprintf("%s claims the verdict %q, and the recordings show %q", ResultsFile,
		safe.Clip(string(one.claimed.Verdict), mostQuoted), judged.Results.Verdict)}
}

// Unjudged returns the results of a run whose recordings cannot be judged. It keeps what names the run, and nothing
// that it found.
func Unjudged(claimed verdict.Results, why string) verdict.Results {
	if claimed.Unjudged != "" {
		why = claimed.Unjudged
	} else if claimed.Verdict != "" {
		why = fmt.Sprintf("%s claims %s, which cannot be judged again: %s", ResultsFile, claimed.InWords(), why)
	}
	r := verdict.Results{Schema: verdict.Schema, Kind: claimed.Kind, Tool: claimed.Tool,
		InterfaceVersion: spec.InterfaceVersion, LedgerDigest: spec.LedgerDigest(), Target: claimed.Target,
		Run: claimed.Run, Seed: claimed.Seed, Started: claimed.Started, Ended: claimed.Ended, AsOf: claimed.AsOf,
		Strict: claimed.Strict, Unjudged: why,
		Requirements: verdict.Requirements(spec.TheLedger().Requirements, nil, claimed.AsOf),
		Checks:       []verdict.Check{}, Created: []verdict.Created{}}
	r.Conclude(verdict.Validity{Invalid: []string{why}})
	return r
}
