// Package reports opens a run, computes one View of it (Look), and prints the view for people and programs: Formats are
// results.json, junit.xml, summary.md and report.html, and the terminal is one more. It sends nothing.
package reports

import (
	"fmt"
	"slices"

	"petconform/conformance/explore"
	"petconform/conformance/plan"
	"petconform/load/judge"
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Input is everything from which a report is made. The same input leads to the same bytes.
type Input struct {
	// Results are the run's, without waivers.
	Results verdict.Results
	// Recording may be nil: then no exchange can be shown.
	Recording *exchange.Recording
	// Loaded are the exchanges of a load's recording that its findings name; see Named.
	Loaded map[int]exchange.Exchange
	// Digests are the SHA-256 of the recordings' files, by their names, in hexadecimal.
	Digests map[string]string
	// Recordings are the files of a run that was opened, without results.json.
	Recordings Files
	// Previous is the earlier run to compare with. It may be nil.
	Previous *Input
	// Waivers may be nil.
	Waivers *waiver.File
	// Policy has the gates that the report is judged by, and Last those of the report that it replaces; nil if there is
	// none.
	Policy decision.Policy
	Last   *decision.Policy
	// Redactor knows the keys of the run. No file in which it finds one is written.
	Redactor *exchange.Redactor
	// WrongUsage says that wrong usage or configuration ended the run, so that its exit code is 2.
	WrongUsage bool
}

// Again returns the input of another report on a run that was opened. It is judged by no gate of the last one.
func (in Input) Again() Input {
	last := in.Policy
	in.Policy, in.Last = decision.Policy{}, &last
	return in
}

// View is what every output says of a run. Look computes it once; the formats print it.
type View struct {
	decision.Facts
	// Decision has the word, the sentence, the gates, what was not tested, and the exit code (Code).
	decision.Decision
	// Cards are the failures that make the run deviate, in the order in which to fix them, with their numbers. Others
	// are the waived ones, and the shoulds that fail a run only with --strict; they have no number.
	Cards, Others []Card
	// Open says, besides what failed, why the run has no verdict.
	Open []string
	// Stack names the framework that the responses look like, once for all hints; "" if they do not show it.
	Stack string
	// Recording may be nil.
	Recording *exchange.Recording
	// The SHA-256, in hexadecimal, of the files from which the view was made; "" for a file that does not exist.
	ResultsDigest, WaiversDigest string
	Digests                      map[string]string // of the recordings

	results []byte // results.json
	// shown has the exchanges by their numbers: those of a load if true.
	shown     map[bool]map[int]exchange.Exchange
	sequences []explore.Card
}

// Look applies the waivers, compares with the previous run, decides, and groups the failures by what has to be fixed.
// It is the only place that does any of these.
func Look(in Input) View {
	v := View{Recording: in.Recording, Digests: in.Digests,
		shown: map[bool]map[int]exchange.Exchange{true: in.Loaded, false: {}}}
	v.Policy, v.WrongUsage = in.Policy, in.WrongUsage
	v.Results, v.Waivers = waiver.Apply(in.Results, in.Waivers)
	if v.Results.Part != nil {
		part := *v.Results.Part
		part.Accepted = in.Policy.AcceptPart && part.Holds
		v.Results.Part = &part
	}
	if last := in.Last; last != nil && last.Gates() != in.Policy.Gates() {
		v.Results.Warnings = append(slices.Clip(v.Results.Warnings), fmt.Sprintf("the last report of this run was judged by "+
			"other gates: %s; this one: %s", last.Gates(), in.Policy.Gates()))
	}
	v.Results.Word = v.Results.InWords()
	v.Load, _ = judge.ParseReport(in.Results.Load) // load's judge wrote it
	if before := in.Previous; before != nil {
		d := compare.Runs(compare.Run{Results: before.Results, Recording: before.Recording},
			compare.Run{Results: v.Results, Recording: in.Recording})
		v.Diff = &d
	}
	v.Decision = decision.Decide(v.Facts)
	if in.Recording != nil {
		for _, x := range in.Recording.Exchanges {
			v.shown[false][x.N] = x
		}
		if slices.ContainsFunc(in.Recording.Meta.Planned, plan.Generated) {
			v.sequences = explore.Cards(history.Of(in.Recording))
		}
	}
	v.deal()
	if s := v.Results.Target.Stack; s != nil {
		v.Stack = fmt.Sprintf("The responses look like %s (%s); the hints are for it where they can be.", s.Stack, s.By)
	}
	if in.Waivers != nil {
		v.WaiversDigest = safe.Digest(in.Waivers.Source)
	}
	v.Results.Release, _ = Marshal(released{v.Decision, v.Policy}) // it has no value that cannot be written
	v.results, _ = Marshal(v.Results)
	v.ResultsDigest = safe.Digest(v.results)
	return v
}

// Targets compares runs of two targets, with the parts that were accepted.
func Targets(first, second Input) compare.Diff {
	accepted := func(in Input) compare.Run { return compare.Run{Results: Look(in).Results, Recording: in.Recording} }
	return compare.Targets(accepted(first), accepted(second))
}

// Observed returns what a run saw of an open question.
func (v View) Observed(id spec.ID) (answers []string) {
	for _, o := range v.Results.Observations {
		if o.Requirement == id {
			answers = append(answers, o.Key+": "+o.Value)
		}
	}
	return answers
}

// NothingToSign says why the run has no bundle: people sign a check and a load, both whole. It is "" if the run has one.
func (v View) NothingToSign() string {
	switch r := v.Results; {
	case r.Kind != "signoff":
		return "it is a " + r.Kind + " alone"
	case r.Part != nil, len(r.OwnReasons()) > 0:
		return "the run is not whole: " + v.Gates[0].Measured
	}
	return ""
}

// part names the part of the interface that a check is about: an operation, all responses or requests, or a load.
func (v View) part(c verdict.Check) string {
	switch {
	case c.Kind == verdict.Phase:
		return "load"
	case c.Operation != "":
		return string(c.Operation)
	case v.Results.OfClient():
		return "every request"
	}
	return "every response"
}
