package reports

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/conformance/explore"
	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Card is a failure as every output shows it: one title, one number, and a list of labelled lines.
type Card struct {
	// N is the number of the failure: petconform check --rerun N runs it again.
	N int
	// Glyph and Class are the mark of its verdict.
	decision.Mark
	// Title says what is wrong, and Note that the failure is waived, or of a should.
	Title, Note string
	// Effect is what clients suffer.
	Effect string
	// Lines are what was sent, expected and received, and the hint. More are the requirements with the places where the
	// failure shows, and what else there is to say.
	Lines, More []Line
	// Rerun are the pieces of the command that runs the failure again, and Curl those of one that sends its request
	// again; nil for a request that curl cannot send.
	Rerun, Curl []string
	// Requirements are the failed ones, and Checks those that show the failure.
	Requirements []spec.ID
	Checks       []string
	// After and Shown are the exchanges that show the failure; nil if the recording is not there.
	After, Shown *exchange.Exchange

	cause cause.Cause
}

// Line is a labelled line of a card. Differs is the part of the text, in bytes, that differs from what it is compared
// with.
type Line struct {
	Label, Text string
	Differs     [2]int
}

// Parts are the text before what differs, what differs, and the text after it.
func (l Line) Parts() [3]string {
	return [3]string{l.Text[:l.Differs[0]], l.Text[l.Differs[0]:l.Differs[1]], l.Text[l.Differs[1]:]}
}

// Bounds of what a card shows, in characters; the recording has all.
const (
	textShown = 400
	bodySent  = 120
)

func (v *View) card(c cause.Cause) Card {
	first := c.Places[0]
	f := first.Finding
	card := Card{Mark: decision.MarkOf(first.Check.Verdict), Title: c.Title, Requirements: c.Requirements, Checks: c.Checks(), cause: c}
	card.Effect = spec.TheLedger().Effect(f.Requirement)
	v.sent(&card)
	if f.Message != "" && (first.Check.Kind != verdict.Active || card.Shown == nil) {
		card.add("About", f.Message)
	}
	if f.Expected+f.Actual != "" {
		d := safe.Differ(f, textShown)
		card.Lines = append(card.Lines, marked("Expected", d.Wanted), marked("Actual", d.Came))
		if where := d.Where(); where != "" {
			card.More = append(card.More, Line{Label: "Differs", Text: where})
		}
	}
	if often := f.HowOften(); often != "" {
		card.add("Often", often)
	}
	for i, hint := range c.Hints() {
		if i == 0 {
			card.add("Hint", hint)
		} else {
			card.More = append(card.More, Line{Label: "Hint", Text: hint})
		}
	}
	v.script(&card)
	v.where(&card)
	card.Rerun = rerun.Check(v.Results, c.Again()...)
	if card.Shown != nil && !v.Results.Target.Reference && !v.Results.OfClient() {
		card.Curl = rerun.Curl(v.Results.Target, *card.Shown)
	}
	return card
}

func (c *Card) add(label, text string) { c.Lines = append(c.Lines, Line{Label: label, Text: text}) }

func marked(label string, parts [3]string) Line {
	from := len(parts[0])
	return Line{label, strings.Join(parts[:], ""), [2]int{from, from + len(parts[1])}}
}

// sent describes the request that shows a failure, and the response to it.
func (v *View) sent(card *Card) {
	first := card.cause.Places[0]
	f := first.Finding
	switch x, known := v.shown[f.Exchange]; {
	case v.underLoad(first.Check) && f.Exchange > 0:
		card.add("Sent", fmt.Sprintf("exchange %d of %s", f.Exchange, LoadRecordingFile))
	case known && !v.underLoad(first.Check):
		card.Shown = &x
		if before, known := v.shown[f.After]; known {
			card.After = &before
			card.add("After", sentLine(before))
		}
		card.add("Sent", sentLine(x))
	}
}

// underLoad reports whether a check's exchanges are in the load's recording.
func (v *View) underLoad(c verdict.Check) bool {
	return c.Kind == verdict.Phase || v.Results.Kind == "load"
}

// sentLine describes an exchange in a line: the request, its body, and the response.
func sentLine(x exchange.Exchange) string {
	s := safe.Sent(x)
	if x.Auth == exchange.Key && x.Status() == http.StatusUnauthorized {
		s += ", " + strings.Join(safe.Credential(x.Auth), ", ")
	}
	if len(x.Request.Body) > 0 {
		s += " " + safe.Clip(safe.Line(string(x.Request.Body)), bodySent)
		if err := json.Unmarshal(x.Request.Body, new(json.RawMessage)); err != nil {
			s += " (invalid JSON: " + err.Error() + ")"
		}
	}
	return s + " → " + safe.Came(x)
}

// script names the script that sends the generated sequence which alone shows a failure.
func (v *View) script(card *Card) {
	for i, s := range v.Sequences {
		if s.Shows(card.Requirements) && slices.Equal(card.Checks, []string{explore.CheckID}) {
			card.add("Script", fmt.Sprintf("%s, in the folder of the run, sends the %s that show it", explore.ScriptName(i), spec.Count(len(s.Exchanges), "request")))
			card.More = append(card.More, Line{Label: "Sequence", Text: strings.TrimSpace(s.String())})
			return
		}
	}
}

// where adds each failed requirement with the places where the failure shows, its cases, and what it hides.
func (v *View) where(card *Card) {
	for _, id := range card.Requirements {
		text := "(not in the ledger of this run)"
		if r, known := v.Results.Requirement(id); known {
			text = fmt.Sprintf("%s (%s; %s)", r.Statement, r.Level, r.Clause)
		}
		var places []string
		for _, p := range card.cause.Places {
			if p.Finding.Requirement == id {
				places = with(places, v.places(p)...)
			}
		}
		card.More = append(card.More, Line{Label: string(id), Text: text + "\n" + strings.Join(places, "; ")})
	}
	if cases := safe.Cases(card.cause.Places[0].Finding); len(cases) > 1 {
		card.More = append(card.More, Line{Label: "Cases", Text: strings.Join(cases, "\n")})
	}
	if n := len(card.cause.Hides); n > 0 {
		card.More = append(card.More, Line{Label: "Hides", Text: fmt.Sprintf("%s, inconclusive until this is fixed: %s", spec.Count(n, "check"), strings.Join(card.cause.Hides, ", "))})
	}
}

func with(all []string, more ...string) []string {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// namedCases is how many cases a place names.
const namedCases = 6

// places says where a failure shows: "listPets: no-key, unknown", or "119 of 119 responses, to listPets and createPet".
func (v *View) places(p cause.Place) (all []string) {
	if p.Check.Kind == verdict.Phase || len(p.Finding.Cases) == 0 {
		return []string{p.Check.ID}
	}
	if p.Finding.Cases[0].Name == "" { // of a rule, or of generated sequences
		return []string{v.responses(p)}
	}
	for _, o := range cause.Operations(p) {
		var names []string
		for _, c := range p.Finding.Cases {
			if c.Operation == o {
				names = append(names, c.Name)
			}
		}
		if more := len(names) - namedCases; more > 1 {
			names = append(names[:namedCases], fmt.Sprintf("%d more", more))
		}
		all = append(all, fmt.Sprintf("%s: %s", o, strings.Join(names, ", ")))
	}
	return all
}

// responses counts the responses that a rule or the generated sequences find broken, or the requests of a client.
func (v *View) responses(p cause.Place) string {
	thing := "response"
	if v.Results.OfClient() {
		thing = "request"
	}
	numbers := map[int]bool{}
	for _, c := range p.Finding.Cases {
		for _, n := range c.Exchanges {
			numbers[n] = true
		}
	}
	var words []string
	for _, o := range cause.Operations(p) {
		words = append(words, string(o))
	}
	broken := len(numbers)
	if len(p.Check.Findings) == 1 { // its cases may be fewer
		broken = max(broken, p.Check.Of-p.Check.Held)
	}
	if p.Check.Held+broken <= p.Check.Of && broken > 1 {
		return fmt.Sprintf("%s of %s %ss, to %s", spec.Number(broken), spec.Number(p.Check.Of), thing, spec.List(words))
	}
	return fmt.Sprintf("%s to %s", spec.Count(broken, thing), spec.List(words))
}
