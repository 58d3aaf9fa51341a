package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/shell"
)

// Columns is the width of what is read in a file.
const Columns = 80

// Style says how a view is printed as text.
type Style struct {
	// Width is the largest number of columns; 0 means Columns. Colour adds ANSI colours: words and glyphs say everything
	// without them.
	Width  int
	Colour bool
	// Folder is that of the run; "" if it has none. Verbose prints all that a card has.
	Folder  string
	Verbose bool
}

// text is what is printed, in lines.
type text struct {
	strings.Builder
	Style
}

func printed(s Style) *text {
	if s.Width == 0 {
		s.Width = Columns
	}
	return &text{Style: s}
}

const (
	labelWidth = 10
	// mostLines is how many lines a label has at most.
	mostLines = 24
)

func (t *text) paint(code, s string) string {
	if !t.Colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// colours are those of a terminal, by the class of a mark.
var colours = map[string]string{"good": "32", "bad": "31", "mind": "33", "none": "0"}

// field writes a label and its text beside it, wrapped.
func (t *text) field(label, words string) {
	lines := safe.Wrap(safe.Text(strings.TrimSpace(words)), t.Width-2-labelWidth)
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], fmt.Sprintf("… %s, in %s", spec.Count(len(lines)-mostLines, "more line"), ReportFile))
	}
	t.labelled(label, lines)
}

func (t *text) labelled(label string, lines []string) {
	padded := fmt.Sprintf("%-*s", labelWidth, label)
	t.WriteString(strings.Replace(safe.Hang("  "+padded, lines), padded, t.paint("1", padded), 1))
}

// say writes words after a label, wrapped below the beginning of the words.
func (t *text) say(label, format string, args ...any) {
	t.WriteString(safe.Hang(label, safe.Wrap(safe.Text(fmt.Sprintf(format, args...)), t.Width-utf8.RuneCountInString(label))))
}

// command writes the pieces of a command, broken between options with a backslash.
func (t *text) command(label string, pieces []string) {
	lines := rerun.Lines(pieces, t.Width-2-labelWidth)
	for i, l := range lines {
		lines[i] = safe.Line(l)
	}
	if len(lines) > 0 {
		t.labelled(label, lines)
	}
}

// card writes a card: its title, the effect on clients, what was sent, expected and received, the hint, and the command
// that runs it again.
func (t *text) card(c Card) {
	title := c.Title
	if c.N > 0 {
		title = fmt.Sprintf("%d %s", c.N, c.Title)
	}
	title += " (" + named(c) + ")"
	heading := safe.Hang(c.Glyph+" ", safe.Wrap(safe.Line(title), t.Width-4))
	t.WriteString(t.paint("1;"+colours[c.Class], strings.TrimSuffix(heading, "\n")) + "\n")
	if c.Effect != "" {
		t.field("Effect", c.Effect)
	}
	for _, l := range c.Lines {
		t.field(l.Label, l.Text)
	}
	for i := 0; t.Verbose && i < len(c.More); i++ {
		t.field(c.More[i].Label, c.More[i].Text)
	}
	t.again(c)
	t.command("Curl", c.Curl)
}

// named names the requirements of a card, and says what else is to be said of it.
func named(c Card) string {
	const most = 4
	ids := spec.Join(c.Requirements[:min(len(c.Requirements), most)], ", ")
	if more := len(c.Requirements) - most; more > 0 {
		ids += fmt.Sprintf(", %d more", more)
	}
	return strings.TrimSuffix(ids+"; "+c.Note, "; ")
}

// again writes the command that runs a card again: by its number where the folder of the run is there to look it up.
func (t *text) again(c Card) {
	command := c.Rerun
	if c.N > 0 && t.Folder != "" && !t.Verbose && !strings.HasPrefix(strings.Join(command, " "), "petconform client") {
		command = []string{"petconform check", fmt.Sprintf("--rerun %d", c.N)}
		if t.Folder != rerun.DefaultFolder {
			command = append(command, "--out "+shell.Word(t.Folder))
		}
	}
	t.command("Rerun", command)
}

// CardText is a card alone. A file has all of it (Verbose).
func CardText(c Card, s Style) string {
	t := printed(s)
	t.card(c)
	return t.String()
}

// Terminal prints the cards, the verdict, and what was not tested.
func Terminal(w io.Writer, v View, s Style) error {
	t := printed(s)
	for _, c := range v.Cards {
		t.card(c)
		t.WriteByte('\n')
	}
	if v.Stack != "" && len(v.Cards) > 0 {
		t.say("", "%s", v.Stack)
	}
	t.others(v)
	if t.Len() > 0 && !strings.HasSuffix(t.String(), "\n\n") {
		t.WriteByte('\n')
	}
	t.verdict(v)
	_, err := io.WriteString(w, t.String())
	return err
}

// others writes a line for each failure without a number, or its card.
func (t *text) others(v View) {
	for _, c := range v.Others {
		if t.Verbose {
			t.card(c)
			t.WriteByte('\n')
			continue
		}
		t.say("  "+c.Glyph+" ", "%s (%s)", c.Title, named(c))
	}
}

// verdict writes the headline, what was tested, and what was not.
func (t *text) verdict(v View) {
	line, target := v.Mark().Glyph+" "+v.Headline, safe.Target(v.Results)
	bold := func(s string) string { return t.paint("1;"+colours[v.Mark().Class], s) }
	if utf8.RuneCountInString(line+"  "+target) <= t.Width {
		t.WriteString(bold(line) + "  " + target + "\n")
	} else {
		t.WriteString(bold(strings.Join(safe.Wrap(line, t.Width-1), "\n  ")) + "\n")
		t.say("  ", "%s", target)
	}
	if beside := v.Beside(v.Results); beside != "" {
		t.say("  ", "Verdict: %s", beside)
	}
	t.say("  ", "%s", v.Sentence)
	if first := v.Cards; len(first) > 1 && len(first[0].cause.Hides) > 0 {
		t.say("  ", "Fix 1 first: it makes %s inconclusive.", spec.Count(len(first[0].cause.Hides), "check"))
	}
	for i, reason := range v.Open {
		if more := len(v.Open) - i; i >= mostReasons && more > 1 && !t.Verbose {
			t.say("  ", "%d more reasons; -v prints them", more)
			break
		}
		t.say("  - ", "%s", reason)
	}
	for _, r := range v.NotTested {
		t.say("  Not tested: ", "%s", r.String())
	}
	for _, warning := range v.Results.Warnings {
		t.say("  Warning: ", "%s", warning)
	}
	for _, u := range v.Waivers {
		if u.State != waiver.Used {
			t.say("  Waiver: ", "%s excuses nothing: %s", u.ID, u.State)
		}
	}
	if n := len(v.Results.Created); n > 0 {
		t.say("  ", "%s.", v.CreatedWords())
	}
	if v.Results.Size != "" {
		t.say("  Size: ", "%s", v.Results.Size)
	}
	if took := v.Results.Took().Round(time.Millisecond); took > 0 && t.Verbose {
		t.say("  ", "It took %s.", took)
	}
	if t.Folder != "" {
		t.say("  ", "Report: %s", filepath.Join(t.Folder, ReportFile))
	}
}

// mostReasons is the largest number of reasons that are printed. A run that was stopped has one for each requirement
// that it did not reach.
const mostReasons = 6

// Findings prints a line for each place where a failure shows, for editors and grep: the file and the line of the
// exchange, the requirement, the number and the title of the failure, and what was expected and received.
func Findings(w io.Writer, v View, folder string) error {
	lineOf := linesOf(filepath.Join(folder, RecordingFile))
	for _, c := range v.Cards {
		for _, p := range c.cause.Places {
			file := filepath.Join(folder, ResultsFile) + ":1"
			if n := lineOf[p.Finding.Exchange]; n > 0 && !v.underLoad(p.Check) {
				file = fmt.Sprintf("%s:%d", filepath.Join(folder, RecordingFile), n)
			}
			_, err := fmt.Fprintf(w, "%s: %s: %d %s: %s: expected %s, got %s\n", file, p.Finding.Requirement, c.N, safe.Line(c.Title),
				safe.Line(p.Finding.Message), safe.Clip(safe.Line(p.Finding.Expected), textShown), safe.Clip(safe.Line(p.Finding.Actual), textShown))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// linesOf returns the line of each exchange in a recording; none if it cannot be read.
func linesOf(recording string) map[int]int {
	data, _ := os.ReadFile(recording)
	lines := map[int]int{}
	for i, line := range bytes.Split(data, []byte("\n")) {
		var x struct{ Exchange struct{ N int } }
		if json.Unmarshal(line, &x) == nil {
			lines[x.Exchange.N] = i + 1
		}
	}
	return lines
}

// Exchange writes an exchange in full. It has no key, since keys are never recorded. Lines of the messages are as long
// as they were sent.
func Exchange(w io.Writer, x exchange.Exchange, s Style) error {
	t, shown := printed(s), show(x, 0)
	t.say("", "%s", shown.Caption)
	t.message("> ", shown.Sent)
	t.message("< ", shown.Received)
	_, err := io.WriteString(w, t.String())
	return err
}

// message writes a request or a response, each line after a mark.
func (t *text) message(mark string, m message) {
	t.WriteByte('\n')
	for l := range strings.SplitSeq(safe.Text(m.Text), "\n") {
		t.WriteString(strings.TrimRight(mark+l, " ") + "\n")
	}
	if m.Cut != "" {
		t.say("", "(%s)", m.Cut)
	}
}
