package reports

import (
	"fmt"
	"slices"
	"strings"

	"petconform/conformance/explore"
	"petconform/load/judge"
	"petconform/reports/cause"
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

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
	// Identity tells which run of what this is.
	Identity []Fact
	// Previous are the results of the earlier run; nil if there is none.
	Previous *verdict.Results
	// Sequences are those generated sequences that failed, each with a script.
	Sequences []explore.Card
	// The SHA-256, in hexadecimal, of the files from which the view was made; "" for a file that does not exist.
	ResultsDigest, RecordingDigest, WaiversDigest string

	results  []byte // results.json
	redactor *exchange.Redactor
	shown    map[int]exchange.Exchange
}

// Fact is a labelled value.
type Fact struct{ Label, Value string }

// Look applies the waivers, compares with the previous run, decides, and groups the failures by what has to be fixed.
// It is the only place that does any of these.
func Look(in Input) View {
	v := View{RecordingDigest: in.RecordingDigest, redactor: in.Redactor, shown: map[int]exchange.Exchange{}}
	v.Facts = decision.Facts{Recording: in.Recording, Policy: in.Policy, WrongUsage: in.WrongUsage, Scanned: in.Scanned || in.Redactor != nil}
	v.Results, v.Waivers = waiver.Apply(in.Results, in.Waivers)
	if v.Results.Part != nil {
		part := *v.Results.Part
		part.Accepted = in.Policy.AcceptPart && part.Holds
		v.Results.Part = &part
	}
	if last := in.Last; last != nil && last.Gates() != in.Policy.Gates() {
		v.Results.Warnings = append(slices.Clip(v.Results.Warnings), fmt.Sprintf("the last report of this run was judged by other gates: %s; this one: %s",
			last.Gates(), in.Policy.Gates()))
	}
	v.Results.Word = v.Results.InWords()
	v.Load, v.BadLoad = judge.ParseReport(in.Results.Load)
	if before := in.Previous; before != nil {
		d := compare.Runs(before.comparable(), compare.Run{Results: v.Results, Recording: in.Recording, Load: v.Load})
		v.Diff, v.Previous = &d, &before.Results
	}
	v.Decision = decision.Decide(v.Facts)
	if in.Recording != nil {
		for _, x := range in.Recording.Exchanges {
			v.shown[x.N] = x
		}
		if slices.Contains(in.Recording.Meta.Planned, explore.CheckID) {
			v.Sequences = explore.Cards(history.Of(in.Recording))
		}
	}
	v.deal()
	v.felt()
	if s := v.Results.Target.Stack; s != nil {
		v.Stack = fmt.Sprintf("The responses look like %s (%s); the hints are for it where they can be.", s.Stack, s.By)
	}
	if in.Waivers != nil {
		v.WaiversDigest = safe.Digest(in.Waivers.Source)
	}
	v.results, _ = Marshal(v.Results) // it has no value that cannot be written
	v.ResultsDigest = safe.Digest(v.results)
	v.Identity = v.identity()
	return v
}

// comparable returns a run in the form in which two are compared.
func (in Input) comparable() compare.Run {
	load, _ := judge.ParseReport(in.Results.Load) // one that cannot be read has no plans
	return compare.Run{Results: in.Results, Recording: in.Recording, Load: load}
}

// Targets compares runs of two targets, with the parts that were accepted.
func Targets(first, second Input) compare.Drift {
	accepted := func(in Input) compare.Run {
		r := in.comparable()
		r.Results = Look(in).Results
		return r
	}
	return compare.Targets(accepted(first), accepted(second))
}

// deal makes the cards: failures that make the run deviate, then those that are waived, then broken shoulds.
func (v *View) deal() {
	var hidden []string
	for i, c := range cause.Of(v.Results) {
		card := v.card(c)
		card.N = i + 1
		v.Cards = append(v.Cards, card)
		hidden = append(hidden, c.Hides...)
	}
	for _, c := range v.Results.Checks {
		card, id := v.card(cause.OfCheck(c)), c.Broken()
		switch {
		case c.Verdict == verdict.Waived:
			card.Note = "waived"
			if q, _ := v.Results.Requirement(id[0]); q.Waiver != "" {
				card.Note += " by " + q.Waiver
			}
		case c.Verdict == verdict.Failed && !v.Results.Breaks(c):
			card.Note = "a should, which fails a run only with --strict"
		default:
			continue
		}
		if r, known := spec.TheLedger().Find(id[0]); known {
			card.Title = r.Broken()
		}
		v.Others = append(v.Others, card)
	}
	slices.SortStableFunc(v.Others, func(a, b Card) int { return len(a.Note) - len(b.Note) })
	for _, r := range v.Results.OpenReasons(hidden) {
		if v.Results.Part != nil && v.Results.Part.Holds {
			break // the sentence says it
		}
		if r.Verdict != verdict.NotRun && !strings.Contains(v.Sentence, r.Sentence) { // NotTested has the others
			v.Open = append(v.Open, r.Sentence)
		}
	}
}

// felt says in the sentence of the decision who notices what failed.
func (v *View) felt() {
	var of []string
	for _, c := range v.Cards {
		for _, o := range cause.Operations(c.cause.Places...) {
			of = with(of, string(o))
		}
	}
	if len(of) > 0 && !v.Results.OfClient() {
		v.Sentence += " Clients of " + spec.List(of) + " notice."
	}
}

// cardOf returns the card of a check: the first that it shows.
func (v *View) cardOf(check string) (Card, bool) {
	i := slices.IndexFunc(v.Cards, func(c Card) bool { return slices.Contains(c.Checks, check) })
	if i < 0 {
		return Card{}, false
	}
	return v.Cards[i], true
}

// Options returns the words of the command that runs a card again, each option with its value.
func (v View) Options(c Card) [][]string { return rerun.Options(v.Results, c.cause.Again()...) }

// Observed returns what a run saw of an open question.
func (v *View) Observed(id spec.ID) (answers []string) {
	for _, o := range v.Results.Observations {
		if o.Requirement == id {
			answers = append(answers, o.Key+": "+o.Value)
		}
	}
	return answers
}
