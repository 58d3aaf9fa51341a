package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Bounds of a sentence: the differences from results.json, and the characters of a file, that it quotes.
const (
	mostDiffering = 5
	mostQuoted    = 200
)

// ParseResults parses results.json, whose layout results.schema.json describes.
func ParseResults(data []byte) (res verdict.Results, err error) {
	depth, weight, err := weigh(data)
	if err != nil {
		return res, fmt.Errorf("not results in JSON: %s", safe.Clip(err.Error(), mostQuoted))
	} else if depth > deepest {
		return res, fmt.Errorf("nested deeper than %d levels, so these are not results", deepest)
	}
	var head struct {
		Schema string          `json:"schema"`
		Load   json.RawMessage `json:"load"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return res, fmt.Errorf("not results in JSON: %w", err)
	} else if _, ofLoad, _ := weigh(head.Load); weight-ofLoad > heaviest {
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

// The bounds of results.json, which anyone may have written. Results have fewer than ten levels. A check in memory takes
// 100 times the bytes of "{}", so an object or a list weighs 8, and any other name or value 1: half a million objects,
// or four million values. The load block weighs nothing: it stays text, and of a day of all plans it has millions.
const (
	deepest  = 16
	heaviest = 4 << 20
)

// weigh returns how deep JSON is nested and what it weighs. It stops at the first error, and beyond deepest.
func weigh(data []byte) (depth, weight int, err error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for depth <= deepest {
		t, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return depth, weight, err
		}
		depth = max(depth, in.StackDepth())
		switch t.Kind() {
		case '{', '[':
			weight += 8
		case '}', ']':
		default:
			weight++
		}
	}
	return depth, weight, nil
}

// differs says where results.json says something else than what was judged, apart from waivers. The recording of a run
// that was interrupted need not show all that results.json says.
func (one recorded) differs(judged Input) (all []string) {
	rec := judged.Recording
	if one.claimed == nil || rec != nil && (rec.End == nil || rec.End.Stopped != "" || rec.Torn) {
		return nil
	}
	has, shows := claims(*one.claimed), claims(judged.Results)
	both := maps.Clone(has)
	maps.Copy(both, shows)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		is, was := shows[name], has[name]
		waived := was == string(verdict.Waived) && (is == string(verdict.Failed) || is == string(verdict.Inconclusive))
		if is != was && !waived {
			all = append(all, fmt.Sprintf("%s is %q, but %q in %s", name, is, safe.Clip(was, mostQuoted), ResultsFile))
		}
	}
	if n := len(all); n > mostDiffering {
		all = append(all[:mostDiffering], fmt.Sprintf("%d more places differ", n-mostDiffering))
	}
	return all
}

// claims returns what results say of a run, by names for a reader.
func claims(r verdict.Results) map[string]string {
	all := map[string]string{"the kind of run": r.Kind, "the run": r.Run, "the verdict": string(r.Verdict),
		"the version that sent it": r.Tool, "the target": r.Target.URL, "the build": r.Target.Build,
		"the environment": r.Target.Environment, "the way to the target": r.Target.Way.String(),
		"the use of the built-in reference service": fmt.Sprint(r.Target.Reference),
		"the start": r.Started.UTC().Format(time.RFC3339Nano), "the number of requests": spec.Number(r.Requests)}
	for _, q := range r.Requirements {
		all["requirement "+string(q.ID)] = string(q.Verdict)
	}
	for _, c := range r.Checks {
		all[string(c.Kind)+" "+c.ID] = string(c.Verdict)
	}
	return all
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
