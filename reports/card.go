package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Columns is the width of a card that is read in a file.
const Columns = 80

// narrow is the width below which a command stands below its label.
const narrow = 60

type CardStyle struct {
	// Colour adds ANSI colours. Words and glyphs say everything without them.
	Colour bool
	// Each writes the request, Expected, Actual and the cases of every place, instead of the first place as an example.
	Each bool
	// Folder is that of the run, for the command that shows the exchange in full. If it is "", a curl command repeats
	// the request.
	Folder string
	// Width is the largest number of characters of a line. 0 means Columns.
	Width int
}

func (s CardStyle) width() int { return cmp.Or(s.Width, Columns) }

const (
	labelWidth = 10
	// fieldShown is the largest number of characters of a field that are wrapped into lines, of which the card shows
	// only the first.
	fieldShown = 4000
)

// Card writes a cause of failures under a name, its number or the id of its check: what is wrong, the effect on
// clients, each broken requirement with the places where it shows, the request, Expected, Actual, the checks that it
// makes inconclusive, and the shortest command that reproduces it. Lines have at most style.Width characters, except
// that a word of a command is never broken. Card returns the first error of w.
func Card(w io.Writer, name string, c cause.Cause, res verdict.Results, rec *exchange.Recording, style CardStyle) error {
	k := &card{style: style}
	first := c.Places[0]
	k.title(first.Check.Verdict, name+"  "+c.Title)
	own := Exchanges(first.Check, rec)
	for i, id := range c.Requirements {
		if i > 0 && style.Each {
			k.line("")
		}
		if effect := spec.TheLedger().Effect(id); effect != "" && (i == 0 || style.Each) {
			k.field("Effect", effect)
		}
		k.broken(res, c, id)
		for _, p := range c.Places {
			if style.Each && p.Finding.Requirement == id {
				k.example(p, own)
			}
		}
	}
	if !style.Each {
		k.example(first, own)
		k.hints(c.Hints())
	}
	if len(c.Hides) > 0 {
		k.field("Hides", fmt.Sprintf("%s, inconclusive until this is fixed: %s", spec.Count(len(c.Hides), "check"), strings.Join(c.Hides, ", ")))
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
	lines := safe.Wrap(safe.Clip(safe.Text(text), fieldShown), k.style.width()-2-labelWidth)
	const most = 24
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… %s, in %s", spec.Count(len(lines)-most, "more line"), ReportFile))
	}
	k.labelled(label, lines)
}

func (k *card) labelled(label string, lines []string) {
	label = fmt.Sprintf("%-*s", labelWidth, label)
	k.b.WriteString(strings.Replace(safe.Hang("  "+label, lines), label, k.paint("1", label), 1))
}

func (k *card) title(v verdict.Verdict, text string) {
	colour := "31"
	if v != verdict.Failed {
		colour = "33"
	}
	heading := safe.Hang(decision.MarkOf(v).Glyph+" ", safe.Wrap(safe.Line(text), k.style.width()-4))
	k.line(k.paint("1;"+colour, strings.TrimSuffix(heading, "\n")))
}

// broken writes a requirement that a cause breaks, with the places where it shows.
func (k *card) broken(res verdict.Results, c cause.Cause, id spec.ID) {
	text := "(not in the ledger of this run)"
	if r, known := res.Requirement(id); known {
		text = fmt.Sprintf("%s (%s; %s)", r.Statement, r.Level, r.Clause)
	}
	if places := placesOf(res, c, id); len(places) > 0 && !k.style.Each {
		text += "\n" + strings.Join(places, "; ")
	}
	k.field(string(id), text)
}

// example writes what a place shows. What the cases are is said once, with the places or in full.
func (k *card) example(p cause.Place, own []exchange.Exchange) {
	f := p.Finding
	k.sent(p.Check, f, own)
	if f.Message != "" && (k.style.Each || len(f.Cases) == 0) {
		k.field("About", f.Message)
	}
	k.difference(f)
	if often := f.HowOften(); often != "" {
		k.field("Often", often)
	}
	if len(f.Cases) > 1 && k.style.Each {
		k.field("Cases", strings.Join(safe.Cases(f), "\n"))
	}
	if k.style.Each && f.Hint != "" {
		k.field("Hint", f.Hint)
	}
}

func (k *card) difference(f verdict.Finding) {
	if f.Expected == "" && f.Actual == "" {
		return
	}
	k.field("Expected", f.Expected)
	k.field("Actual", f.Actual)
	if where := safe.Differ(f, fieldShown).Where(); where != "" {
		k.field("Differs", where)
	}
}

func (k *card) hints(all []string) {
	for _, h := range all {
		k.field("Hint", h)
	}
}

// sent writes the request of a finding, or the first request of the check if the finding has none.
func (k *card) sent(c verdict.Check, f verdict.Finding, own []exchange.Exchange) {
	if x := shownBy(f, own); x != nil {
		if before := shownBy(verdict.Finding{Exchange: f.After}, own); before != nil {
			k.field("After", sentLine(*before))
		}
		k.field("Sent", sentLine(*x))
	} else if c.Kind == verdict.Phase && f.Exchange > 0 {
		k.field("Sent", fmt.Sprintf("exchange %d of %s", f.Exchange, LoadRecordingFile))
	} else if len(own) > 0 {
		k.field("Sent", sentLine(own[0]))
	}
}

func shownBy(f verdict.Finding, own []exchange.Exchange) *exchange.Exchange {
	i := slices.IndexFunc(own, func(x exchange.Exchange) bool { return x.N == f.Exchange })
	if i < 0 {
		return nil
	}
	return &own[i]
}

// sentLine describes an exchange: the request, its body, and the response.
func sentLine(x exchange.Exchange) string {
	s := safe.Sent(x)
	if x.Auth == exchange.Key && x.Status() == http.StatusUnauthorized {
		s += ", " + strings.Join(safe.Credential(x.Auth), ", ")
	}
	if len(x.Request.Body) > 0 {
		s += "\n" + safe.Clip(safe.Line(string(x.Request.Body)), 200)
		if err := json.Unmarshal(x.Request.Body, new(json.RawMessage)); err != nil {
			s += "\n(which is invalid JSON: " + err.Error() + ")"
		}
	}
	return s + "\n→ " + safe.Came(x)
}

// again writes the commands, broken between options with a backslash.
func (k *card) again(res verdict.Results, c cause.Cause, own []exchange.Exchange) {
	first, again := c.Places[0], c.Again()
	if k.style.Each {
		again = []verdict.Check{first.Check}
	}
	k.command("Rerun", rerun.Check(res, again...))
	if !k.style.Each {
		k.beside(res, c)
	}
	switch x := shownBy(first.Finding, own); {
	case x == nil:
	case k.style.Folder != "":
		k.command("In full", rerun.Show(x.N, k.style.Folder))
	case !res.Target.Reference:
		k.command("or", rerun.Curl(res.Target, *x))
	}
}

// beside says which other cards keep the command from turning green.
func (k *card) beside(res verdict.Results, c cause.Cause) {
	names := rerun.Only(c.Again())
	var others []string
	for i, other := range cause.Of(res) {
		if other.Title != c.Title && (len(names) == 0 || slices.ContainsFunc(names, other.Shows)) {
			others = append(others, strconv.Itoa(i+1))
		}
	}
	if len(others) > 0 {
		k.field("", "which runs checks of "+spec.List(others)+" too, and stays red until these are mended")
	}
}

func (k *card) command(label string, pieces []string) {
	if len(pieces) == 0 {
		return
	}
	indent := 2 + labelWidth
	if k.style.width() < narrow {
		indent = 2
	}
	lines := rerun.Lines(pieces, k.style.width()-indent)
	for i, l := range lines {
		lines[i] = safe.Line(l)
	}
	if indent == 2 {
		k.line("  " + k.paint("1", label))
		k.b.WriteString(safe.Hang("  ", lines))
		return
	}
	k.labelled(label, lines)
}
