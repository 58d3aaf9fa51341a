package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/reports/plain"
	"petconform/reports/repeat"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Columns is the width of a card.
const Columns = 80

// CardStyle is how a card is written.
type CardStyle struct {
	// Colour adds ANSI colours. Words and glyphs say everything without them.
	Colour bool
}

const (
	labelWidth = 10
	// fieldShown is the largest number of characters of a field that are wrapped into lines, of which the card shows only the
	// first.
	fieldShown = 4000
	sentShown  = 4
)

// Card writes a failure: the requirement and its clause, the request, Expected, Actual, and the command that runs it again. Lines
// have at most Columns characters, except that a word of a command is never broken. exchanges are those of the check; Card shows
// a finding's exchange first. It returns the first error of w.
func Card(w io.Writer, res verdict.Results, c verdict.Check, own []exchange.Exchange, style CardStyle) error {
	k := &card{style: style}
	k.head(res, c)
	for i, f := range c.Findings {
		if i > 0 {
			k.line("")
		}
		k.finding(res, c, f, own)
	}
	if len(c.Findings) == 0 && c.Reason != "" {
		k.field("Reason", c.Reason)
	}
	k.again(res, c, own)
	_, err := io.WriteString(w, k.b.String())
	return err
}

type card struct {
	b     strings.Builder
	style CardStyle
}

func (k *card) line(s string) { k.b.WriteString(strings.TrimRight(s, " ") + "\n") }

func (k *card) paint(code, s string) string {
	if !k.style.Colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// field writes a label and its text beside it, wrapped.
func (k *card) field(label, text string) {
	lines := plain.Wrap(plain.Clip(plain.Text(text), fieldShown), Columns-2-labelWidth)
	const most = 24
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… %s, in %s", spec.Count(len(lines)-most, "more line"), ReportFile))
	}
	for i, l := range lines {
		if i > 0 {
			label = ""
		}
		k.line("  " + k.paint("1", fmt.Sprintf("%-*s", labelWidth, label)) + l)
	}
}

func (k *card) head(res verdict.Results, c verdict.Check) {
	colour := "31"
	if c.Verdict != verdict.Failed {
		colour = "33"
	}
	k.title(fmt.Sprintf("%s %s  %s", plain.Glyph(c.Verdict), c.ID, c.Title), colour)
	ids := c.Requirements
	if len(c.Findings) > 0 {
		ids = nil
	}
	for _, id := range ids {
		k.requirement(res, id)
	}
}

func (k *card) title(text, colour string) {
	for i, l := range plain.Wrap(plain.Line(text), Columns-2) {
		if i > 0 {
			l = "  " + l
		}
		k.line(k.paint("1;"+colour, l))
	}
}

func (k *card) requirement(res verdict.Results, id spec.ID) {
	i := slices.IndexFunc(res.Requirements, func(r verdict.Requirement) bool { return r.ID == id })
	if i < 0 {
		k.field(string(id), "(not in the ledger of this run)")
		return
	}
	r := res.Requirements[i]
	k.field(string(id), fmt.Sprintf("%s (%s)\nclause: %s", r.Statement, r.Level, r.Clause))
}

func (k *card) finding(res verdict.Results, c verdict.Check, f verdict.Finding, own []exchange.Exchange) {
	k.requirement(res, f.Requirement)
	k.sent(c, f, own)
	if f.Message != "" {
		k.field("About", f.Message)
	}
	k.compared(f)
	if len(f.Cases) > 1 {
		k.field("Cases", strings.Join(plain.Cases(f), "\n"))
	}
}

// sent writes the request of a finding, or the first requests of the check if the finding has none.
func (k *card) sent(c verdict.Check, f verdict.Finding, own []exchange.Exchange) {
	if x := shownBy(f, own); x != nil {
		k.field("Sent", sentLine(*x))
	} else if c.Kind == verdict.Phase && f.Exchange > 0 {
		k.field("Sent", fmt.Sprintf("exchange %d of %s", f.Exchange, LoadRecordingFile))
	} else {
		for _, x := range own[:min(len(own), sentShown)] {
			k.field("Sent", sentLine(x))
		}
	}
}

func (k *card) compared(f verdict.Finding) {
	if f.Expected != "" || f.Actual != "" {
		k.field("Expected", f.Expected)
		k.field("Actual", f.Actual)
	}
}

func shownBy(f verdict.Finding, own []exchange.Exchange) *exchange.Exchange {
	i := slices.IndexFunc(own, func(x exchange.Exchange) bool { return x.N == f.Exchange })
	if i < 0 {
		return nil
	}
	return &own[i]
}

// sentLine describes an exchange: its number, the request, the credential if it is not the key, and the response.
func sentLine(x exchange.Exchange) string {
	s := fmt.Sprintf("#%d %s %s", x.N, x.Request.Method, x.Request.Path)
	if x.Auth != exchange.Key {
		s += " (key: " + string(x.Auth) + ")"
	}
	if len(x.Request.Body) > 0 {
		s += "\n" + plain.Clip(plain.Line(string(x.Request.Body)), 200)
	}
	return s + "\n→ " + plain.Came(x)
}

// again writes the commands, broken between options with a backslash.
func (k *card) again(res verdict.Results, c verdict.Check, own []exchange.Exchange) {
	k.command("Rerun", repeat.Check(res, c))
	if len(c.Findings) == 0 {
		return
	}
	if x := shownBy(c.Findings[0], own); x != nil && !res.Target.Reference {
		k.command("or", repeat.Curl(res.Target, *x))
	}
}

func (k *card) command(label string, pieces []string) {
	if len(pieces) == 0 {
		return
	}
	for i, l := range repeat.Lines(pieces, Columns-2-labelWidth) {
		if i > 0 {
			label = ""
		}
		k.line("  " + k.paint("1", fmt.Sprintf("%-*s", labelWidth, label)) + plain.Line(l))
	}
}
