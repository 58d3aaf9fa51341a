package reports

import (
	"encoding/json"
	"fmt"
	"net/http"
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
	// Requirements are the failed ones, and Checks those that show the failure, each with what it found.
	Requirements []spec.ID
	Checks       []Showing
	// Evidence are the exchanges that show the failure; none if the recording is not there.
	Evidence []Shown

	cause cause.Cause
}

// Often is the label of the line that says how often a failure shows that does not show each time.
const Often = "Often"

// Line is a labelled line of a card.
type Line struct{ Label, Text string }

// Showing is a check that shows a card, with what it expected and received if that is not the card's.
type Showing struct {
	verdict.Check
	Lines []Line
	// First says that no earlier card shows the check.
	First bool
}

// Bounds of what a card shows: characters of a text and of a body, and the cases that a place names. The recording has
// all.
const (
	textShown  = 400
	bodySent   = 120
	namedCases = 4
)

func (v *View) card(c cause.Cause) Card {
	first := c.Places[0]
	f := first.Finding
	card := Card{Mark: decision.MarkOf(first.Check.Verdict), Title: c.Title, Requirements: c.Requirements, cause: c,
		Effect: spec.TheLedger().Effect(f.Requirement), Rerun: rerun.Check(v.Results, c.Again()...)}
	x, shown := v.sent(&card)
	if f.Message != "" && (first.Check.Kind != verdict.Active || !shown) {
		card.add("About", f.Message)
	}
	if f.Expected+f.Actual != "" {
		card.add("Expected", safe.Clip(f.Expected, textShown))
		card.add("Actual", safe.Clip(f.Actual, textShown))
	}
	if f.Often != "" {
		card.add(Often, f.Often+". Run it again several times: once may miss it.")
	}
	v.cases(&card)
	for i, hint := range c.Hints() {
		if i == 0 {
			card.add("Hint", hint)
		} else {
			card.More = append(card.More, Line{"Hint", hint})
		}
	}
	v.sequence(&card)
	v.where(&card)
	if shown && !v.Results.Target.Reference && !v.Results.OfClient() {
		card.Curl = rerun.Curl(v.Results.Target, x)
	}
	return card
}

// Options returns the words of the command that runs a card again, each option with its value.
func (v View) Options(c Card) [][]string { return rerun.Options(v.Results, c.cause.Again()...) }

func (c *Card) add(label, text string) { c.Lines = append(c.Lines, Line{label, text}) }

// shows reports whether a check shows the card.
func (c Card) shows(check string) bool {
	return slices.ContainsFunc(c.Checks, func(s Showing) bool { return s.ID == check })
}

// Heading is the title with the number, if the failure has one.
func (c Card) Heading() string { return strings.TrimPrefix(fmt.Sprintf("%d %s", c.N, c.Title), "0 ") }

// named names the requirements of a card, and says what else is to be said of it.
func (c Card) named() string {
	const most = 4
	ids := spec.Join(c.Requirements[:min(len(c.Requirements), most)], ", ")
	if more := len(c.Requirements) - most; more > 0 {
		ids += fmt.Sprintf(", %d more", more)
	}
	return strings.TrimSuffix(ids+"; "+c.Note, "; ")
}

// sent describes the request that shows a failure, and the response to it.
func (v *View) sent(card *Card) (x exchange.Exchange, shown bool) {
	f := card.cause.Places[0].Finding
	if v.underLoad(card.cause.Places[0].Check) {
		if f.Exchange > 0 {
			card.add("Sent", fmt.Sprintf("exchange %d of %s", f.Exchange, LoadRecordingFile))
		}
		return x, false
	}
	if x, shown = v.shown[f.Exchange]; !shown {
		return x, false
	}
	if before, known := v.shown[f.After]; known {
		card.add("After", sentLine(before))
		card.Evidence = append(card.Evidence, show(before, bodyShown))
	}
	card.add("Sent", sentLine(x))
	card.Evidence = append(card.Evidence, show(x, bodyShown))
	return x, true
}

// underLoad reports whether a check's exchanges are in the load's recording.
func (v *View) underLoad(c verdict.Check) bool {
	return c.Kind == verdict.Phase || v.Results.Kind == "load"
}

// sentLine describes an exchange in a line: the request, its body, and the response.
func sentLine(x exchange.Exchange) string {
	s := safe.Sent(x)
	if x.Auth == exchange.Key && x.Status() == http.StatusUnauthorized {
		s += ", " + strings.Join(safe.Credential(x), ", ")
	}
	if len(x.Request.Body) > 0 {
		s += ", " + safe.Clip(safe.Line(string(x.Request.Body)), bodySent)
		of, err := x.Request.Header.Get("Content-Type"), json.Unmarshal(x.Request.Body, new(json.RawMessage))
		if err != nil && (of == "" || strings.Contains(of, "json")) {
			s += " (invalid JSON: " + err.Error() + ")"
		}
	}
	return s + " → " + safe.Came(x)
}

// cases names the requests that show a failure, if more than one does and they have names: one mend has to serve all of
// them.
func (v *View) cases(card *Card) {
	named := func(p cause.Place) bool {
		return slices.ContainsFunc(p.Finding.Cases, func(c verdict.Case) bool { return c.Name != "" })
	}
	if !slices.ContainsFunc(card.cause.Own(), named) {
		return
	}
	var lines []string
	for _, id := range card.Requirements {
		var shown []string
		for _, p := range card.cause.Own() {
			if p.Finding.Requirement == id {
				shown = spec.With(shown, v.places(p)...)
			}
		}
		if len(shown) > 0 {
			lines = append(lines, string(id)+" "+strings.Join(shown, "; "))
		}
	}
	text := strings.Join(lines, "\n")
	if len(card.Requirements) == 1 {
		_, text, _ = strings.Cut(text, " ")
	}
	if strings.ContainsAny(text, ",;\n") {
		card.add("Cases", text)
	}
}

// sequence shows the generated sequence which alone shows a failure.
func (v *View) sequence(card *Card) {
	if slices.ContainsFunc(card.cause.Places, func(p cause.Place) bool { return !plan.Generated(p.Check.ID) }) {
		return
	}
	for _, s := range v.Sequences {
		if s.Shows(card.Requirements) {
			last := s.Exchanges[len(s.Exchanges)-1]
			card.add("Sequence", fmt.Sprintf("%s, up to #%d, of which none can be left out",
				spec.Count(len(s.Exchanges), "request"), last.N))
			card.More = append(card.More, Line{"Requests", strings.TrimSpace(s.String())})
			return
		}
	}
}

// where adds the failed requirements, what the failure hides, and the checks that show it.
func (v *View) where(card *Card) {
	for _, id := range card.Requirements {
		text := "(not in the ledger of this run)"
		if r, known := v.Results.Requirement(id); known {
			text = fmt.Sprintf("%s (%s; %s)", r.Statement, r.Level, r.Clause)
		}
		card.More = append(card.More, Line{string(id), text})
	}
	if hidden := card.cause.Hides; len(hidden) > 0 {
		card.More = append(card.More, Line{"Hides", fmt.Sprintf("%s, inconclusive until this is fixed: %s",
			spec.Count(len(hidden), "check"), strings.Join(hidden, ", "))})
	}
	for i, p := range card.cause.Places {
		if card.shows(p.Check.ID) {
			continue
		}
		s := Showing{Check: p.Check, First: v.cardOf(p.Check.ID) == nil}
		if i > 0 && p.Finding.Expected != "" {
			s.Lines = []Line{{"Expected", p.Finding.Expected}, {"Actual", p.Finding.Actual}}
		}
		card.Checks = append(card.Checks, s)
	}
}

// cardOf returns the first card that a check shows; nil if none does.
func (v *View) cardOf(check string) *Card {
	for _, c := range slices.Concat(v.Cards, v.Others) {
		if c.shows(check) {
			return &c
		}
	}
	return nil
}

// places says where a failure shows, by the names of its cases or by exchanges: "listPets: no-key, unknown", "getPet: #7";
// else by the check or rule.
func (v *View) places(p cause.Place) (all []string) {
	for _, o := range cause.Operations(p) {
		var names []string
		for _, c := range p.Finding.Cases {
			if string(c.Operation) == o {
				names = spec.With(names, v.names(c)...)
			}
		}
		if more := len(names) - namedCases; more > 1 {
			names = append(names[:namedCases], fmt.Sprintf("%d more", more))
		}
		if len(names) > 0 && p.Check.Kind != verdict.Phase {
			all = append(all, fmt.Sprintf("%s: %s", o, strings.Join(names, ", ")))
		}
	}
	if len(all) == 0 {
		all = []string{p.Check.ID}
	}
	return all
}

// names returns the name of a case, or the numbers of its exchanges. Those of a load are of another recording.
func (v *View) names(c verdict.Case) (names []string) {
	if c.Name != "" {
		return []string{c.Name}
	}
	for _, n := range slices.Sorted(slices.Values(c.Exchanges)) {
		if x := v.shown[n]; x.Operation == c.Operation && x.Status() == c.Status {
			names = append(names, fmt.Sprintf("#%d", n))
		}
	}
	return names
}
