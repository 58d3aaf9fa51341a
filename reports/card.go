package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/conformance/plan"
	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Card is a failure as every output shows it: a cause with a number and a list of labelled lines.
type Card struct {
	cause.Cause
	// N is the number of the failure: petconform check --rerun N runs it again.
	N int
	// Glyph and Class are the mark of its verdict.
	decision.Mark
	// Note says by which waivers the failure is waived, or that it is of a should; "" for one that makes the run deviate.
	Note string
	// Lines are the effect on clients, what was sent, expected and received, and the hint. More are the requirements with
	// the places where the failure shows, and what else there is to say.
	Lines, More []Line
	// Rerun are the pieces of the command that runs the failure again, and Curl those of one that sends its request
	// again; nil for a request that curl cannot send.
	Rerun, Curl []string
	// Checks are those that show the failure.
	Checks []Showing
	// Evidence are the exchanges that show the failure; none if the recording is not there.
	Evidence []exchange.Exchange
}

// Line is a labelled line of a card.
type Line struct{ Label, Text string }

// Showing is a check that shows a card. First says that no earlier card shows the check.
type Showing struct {
	verdict.Check
	First bool
}

// Bounds of what a card shows: characters of a text and of a body, and the kinds of request that show it, and steps of
// each. The recording has all.
const (
	textShown  = 400
	bodySent   = 120
	namedCases = 4
)

// deal makes the cards: failures that make the run deviate, then those that are waived, then broken shoulds. The
// sentence of the decision says who is affected by what a must breaks, whether it is waived or not.
func (v *View) deal() {
	var hidden, on []string
	var who []string // is hurt
	res := v.Results
	for _, selected := range []func(verdict.Check, spec.ID) bool{
		func(c verdict.Check, id spec.ID) bool { return c.Verdict == verdict.Failed && res.Counts(id) },
		func(c verdict.Check, _ spec.ID) bool { return c.Verdict == verdict.Waived },
		func(c verdict.Check, _ spec.ID) bool { return c.Verdict == verdict.Failed && !res.Breaks(c) },
	} {
		for _, c := range cause.Of(res, selected) {
			card := v.card(c)
			if card.Note == "" {
				card.N, hidden = len(v.Cards)+1, append(hidden, c.Hides...)
				v.Cards = append(v.Cards, card)
			} else {
				v.Others = append(v.Others, card)
			}
			switch limit := c.Places[0].Check.Kind == verdict.Phase; {
			case !res.Counts(c.Requirements[0]):
			case limit:
				who = []string{"that reach their limit, whatever they call,"}
			default:
				on = spec.With(on, cause.Operations(c.Places...)...)
			}
		}
	}
	if len(on) > 0 {
		who = append([]string{"that call " + spec.List(on)}, who...)
	}
	if len(who) > 0 && !v.Results.OfClient() {
		v.Sentence += " Clients " + strings.Join(who, ", and those ") + " are affected."
	}
	if v.Results.Part != nil && v.Results.Part.Holds {
		return // the sentence says it
	}
	for _, r := range v.Results.OpenReasons(hidden) {
		if !strings.Contains(v.Sentence, r) {
			v.Open = append(v.Open, r)
		}
	}
}

func (v *View) card(c cause.Cause) Card {
	first := c.Places[0]
	f := first.Finding
	card := Card{Cause: c, Mark: decision.MarkOf(first.Check.Verdict), Note: v.note(c), Rerun: rerun.Check(v.Results, c.Again()...)}
	card.add("Effect", spec.TheLedger().Effect(f.Requirement))
	x, shown := v.sent(&card)
	if first.Check.Kind != verdict.Active || !shown {
		card.add("About", f.Message)
	}
	card.add("Expected", safe.Clip(f.Expected, textShown))
	card.add("Actual", safe.Clip(f.Actual, textShown))
	if f.Often != "" {
		card.add("Often", f.Often+". Run it again several times: once may miss it.")
	}
	v.cases(&card)
	var hints []string
	for _, p := range cause.Own(c.Places) { // each requirement may need a mend of its own
		hints = spec.With(hints, p.Finding.Hint)
	}
	card.add("Hint", strings.Join(hints, "\n"))
	v.sequence(&card)
	v.where(&card)
	if shown && !v.underLoad(first) && !v.Results.Target.Reference && !v.Results.OfClient() {
		card.Curl = rerun.Curl(v.Results.Target, x)
	}
	return card
}

func (v *View) note(c cause.Cause) string {
	var by []string
	for _, id := range c.Requirements {
		if q, _ := v.Results.Requirement(id); q.Waiver != "" {
			by = spec.With(by, q.Waiver)
		}
	}
	switch check := c.Places[0].Check; {
	case check.Verdict == verdict.Waived:
		return "waived by " + strings.Join(by, ", ")
	case !v.Results.Breaks(check):
		return "a should, which fails a run only with --strict"
	}
	return ""
}

func (c *Card) add(label, text string) {
	if text = strings.TrimSpace(text); text != "" {
		c.Lines = append(c.Lines, Line{label, text})
	}
}

func (c Card) shows(check string) bool {
	return slices.ContainsFunc(c.Checks, func(s Showing) bool { return s.ID == check })
}

// Heading is the title with the number, if the failure has one.
func (c Card) Heading() string { return strings.TrimPrefix(fmt.Sprintf("%d %s", c.N, c.Title), "0 ") }

func (c Card) named() string {
	return strings.TrimSuffix(decision.Few(c.Requirements, 4, ", ")+"; "+c.Note, "; ")
}

// sent describes the request that shows a failure, and the response to it, after the earlier exchange on which it rests.
func (v *View) sent(card *Card) (x exchange.Exchange, shown bool) {
	first := card.Places[0]
	load := v.underLoad(first)
	for i, n := range []int{first.Finding.After, first.Finding.Exchange} {
		if x, shown = v.shown[load][n]; shown {
			card.add([]string{"After", "Sent"}[i], sentLine(x))
			card.Evidence = append(card.Evidence, x)
		}
	}
	return x, shown
}

// underLoad reports whether the exchanges of a place are in the load's recording: a phase of the load sent them.
func (v *View) underLoad(p cause.Place) bool {
	sent := p.Check
	if cases := p.Finding.Cases; sent.Kind == verdict.Passive && len(cases) > 0 {
		sent, _ = v.Results.Check(cases[0].Sender)
	}
	return sent.Kind == verdict.Phase || v.Results.Kind == "load"
}

// sentLine describes an exchange in a line: the request, its body, and the response.
func sentLine(x exchange.Exchange) string {
	s := safe.Sent(x)
	if len(x.Request.Body) > 0 {
		s += ", " + safe.Clip(safe.Line(string(x.Request.Body)), bodySent)
	}
	return s + " → " + safe.Came(x)
}

// cases names the requests that show a failure by their rows, if different ones do: one mend has to serve all of them. A
// rule that passed on no response needs no names, unless the responses show different things.
func (v *View) cases(card *Card) {
	var all []exchange.Exchange
	sent := map[string]bool{}
	for _, p := range cause.Own(card.Places) {
		other := func(c verdict.Case) bool { return c.Actual != p.Finding.Cases[0].Actual }
		if v.underLoad(p) || p.Check.Of > 0 && p.Check.Held == 0 && !slices.ContainsFunc(p.Finding.Cases, other) {
			continue
		}
		for _, c := range p.Finding.Cases {
			for _, n := range c.Exchanges {
				x, found := v.shown[false][n]
				_, request, _ := strings.Cut(safe.Sent(x), " ") // without its number
				if request += string(x.Request.Body); found && !sent[request] {
					sent[request], all = true, append(all, x)
				}
			}
		}
	}
	var lines []string
	for _, g := range grouped(all, askedFor) {
		var steps []string
		for _, x := range g.Rows {
			steps = append(steps, cmp.Or(plan.Asked(x.Step), fmt.Sprintf("#%d", x.N)))
		}
		lines = append(lines, g.Name+": "+decision.Few(steps, namedCases, "; ")) // a step may have a comma
	}
	if len(all) > 1 {
		card.add("Cases", decision.Few(lines, namedCases, "\n"))
	}
}

// askedFor is the operation of a request, with the occasion of the requirement that its row is sent for.
func askedFor(x exchange.Exchange) string {
	row, _ := plan.RowOf(x.Check, x.Step)
	entry, _ := spec.TheLedger().Find(row.Breaks)
	return strings.TrimSpace(string(x.Operation) + " " + entry.Occasion)
}

// sequence shows the generated sequence which alone shows a failure.
func (v *View) sequence(card *Card) {
	if slices.ContainsFunc(card.Places, func(p cause.Place) bool { return !plan.Generated(p.Check.ID) }) {
		return
	}
	for _, s := range v.sequences {
		if s.Shows(card.Requirements) {
			text := fmt.Sprintf("number %s of seed %d, the shortest that fails (%s; run it again with --seed %d)", s.Sequence, s.Seed,
				spec.Count(len(s.Exchanges), "request"), s.Seed)
			for _, x := range s.Exchanges {
				text += "\n" + strings.TrimSpace(sentLine(x.Exchange)+" "+safe.Clip(x.Excerpt(), bodySent))
			}
			card.More = append(card.More, Line{"Sequence", text})
			return
		}
	}
}

// where adds the failed requirements, what the failure hides, and the checks that show it.
func (v *View) where(card *Card) {
	for _, id := range card.Requirements {
		if r, known := v.Results.Requirement(id); known {
			card.More = append(card.More, Line{string(id), fmt.Sprintf("%s (%s; %s)", r.Statement, r.Level, r.Clause)})
		}
	}
	if hidden := card.Hides; len(hidden) > 0 {
		card.More = append(card.More, Line{"Hides", fmt.Sprintf("%s, inconclusive until this is fixed: %s",
			spec.Count(len(hidden), "check"), strings.Join(hidden, ", "))})
	}
	for _, p := range card.Places {
		if !card.shows(p.Check.ID) {
			card.Checks = append(card.Checks, Showing{p.Check, v.cardOf(p.Check.ID) == nil})
		}
	}
}

func (v *View) cardOf(check string) *Card {
	for _, c := range slices.Concat(v.Cards, v.Others) {
		if c.shows(check) {
			return &c
		}
	}
	return nil
}
