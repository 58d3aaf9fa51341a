package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"petconform/reports/rerun"
	"petconform/reports/safe"
	"petconform/reports/waiver"
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

type text struct {
	strings.Builder
	Style
}

func printed(s Style) *text {
	s.Width = cmp.Or(s.Width, Columns)
	return &text{Style: s}
}

const (
	labelWidth = 10
	// mostReasons is how many reasons are printed. A run that was stopped has one for each requirement that it did not
	// reach.
	mostReasons = 3
)

var colours = map[string]string{"good": "1;32", "bad": "1;31", "mind": "1;33", "none": "1;0", "label": "1"}

func (t *text) paint(class, s string) string {
	if !t.Colour {
		return s
	}
	return "\x1b[" + colours[class] + "m" + s + "\x1b[0m"
}

// say writes words after a label, wrapped below the beginning of the words.
func (t *text) say(label, words string) {
	t.WriteString(safe.Hang(label, safe.Wrap(safe.Text(words), t.Width-utf8.RuneCountInString(label))))
}

func (t *text) field(label string, lines []string) {
	padded := fmt.Sprintf("%-*s", labelWidth, label)
	t.WriteString(strings.Replace(safe.Hang("  "+padded, lines), padded, t.paint("label", padded), 1))
}

// command writes the pieces of a command, broken between options with a backslash.
func (t *text) command(label string, pieces []string) {
	lines := rerun.Lines(pieces, t.Width-2-labelWidth)
	for i, l := range lines {
		lines[i] = safe.Line(l)
	}
	t.field(label, lines)
}

// card writes a card: its title, its lines, and the command that runs it again, by its number where the folder of the
// run is there to look it up.
func (t *text) card(c Card) {
	heading := safe.Hang(c.Glyph+" ", safe.Wrap(safe.Line(c.Heading()+" ("+c.named()+")"), t.Width-4))
	t.WriteString(t.paint(c.Class, strings.TrimSuffix(heading, "\n")) + "\n")
	lines := slices.Clone(c.Lines)
	if t.Verbose {
		lines = append(lines, c.More...)
	}
	for _, l := range lines {
		t.field(l.Label, safe.Wrap(safe.Text(l.Text), t.Width-2-labelWidth))
	}
	again := c.Rerun
	if c.N > 0 && t.Folder != "" && !t.Verbose && again[0] != "petconform client" {
		again = []string{"petconform check", fmt.Sprintf("--rerun %d", c.N)}
		if t.Folder != rerun.DefaultFolder {
			again = append(again, "--out "+shell.Word(t.Folder))
		}
	}
	t.command("Rerun", again)
	if len(c.Curl) > 0 {
		t.command("Curl", c.Curl)
	}
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
		t.say("", v.Stack)
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
		} else {
			t.say("  "+c.Glyph+" ", fmt.Sprintf("%s (%s)", c.Title, c.named()))
		}
	}
}

func (t *text) verdict(v View) {
	mark, target := v.Mark(), v.Target()
	if line := mark.Glyph + " " + v.Headline; utf8.RuneCountInString(line+"  "+target) <= t.Width {
		t.WriteString(t.paint(mark.Class, line) + "  " + target + "\n")
	} else {
		t.WriteString(t.paint(mark.Class, strings.Join(safe.Wrap(line, t.Width-1), "\n  ")) + "\n")
		t.say("  ", target)
	}
	say := func(label string, words ...string) {
		for _, w := range words {
			t.say("  "+label, w)
		}
	}
	say("", v.Sentence)
	if more := len(v.Open) - mostReasons; more > 1 && !t.Verbose {
		say("- ", v.Open[:mostReasons]...)
		say("", fmt.Sprintf("%d more reasons; -v prints them", more))
	} else {
		say("- ", v.Open...)
	}
	for _, r := range v.NotTested {
		say("Not tested: ", r.String())
	}
	say("Warning: ", v.Results.Warnings...)
	for _, u := range v.Waivers {
		if u.State != waiver.Used {
			say("Waiver: ", fmt.Sprintf("%s excuses nothing: %s", u.ID, u.State))
		}
	}
	if len(v.Results.Created) > 0 {
		say("", v.CreatedWords()+".")
	}
	if v.Results.Size != "" {
		say("Size: ", v.Results.Size)
	}
	if t.Folder != "" {
		say("Report: ", filepath.Join(t.Folder, ReportFile))
	}
}

// Findings prints a line for each place where a failure shows, for editors and grep: the file and the line of the
// exchange, the requirement, the number and the title of the failure, and what was expected and received.
func Findings(w io.Writer, v View, folder string) error {
	recording, _ := os.ReadFile(filepath.Join(folder, RecordingFile)) // without it no line is known
	for _, c := range v.Cards {
		for _, p := range c.Places {
			f, file := p.Finding, filepath.Join(folder, ResultsFile)+":1"
			if n := lineOf(recording, f.Exchange); n > 0 && !v.underLoad(p) {
				file = fmt.Sprintf("%s:%d", filepath.Join(folder, RecordingFile), n)
			}
			_, err := fmt.Fprintf(w, "%s: %s: %s: %s: expected %s, got %s\n", file, f.Requirement, safe.Line(c.Heading()),
				safe.Line(f.Message), safe.Clip(safe.Line(f.Expected), textShown), safe.Clip(safe.Line(f.Actual), textShown))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lineOf returns the number of the line that an exchange has in a recording; 0 if there is none.
func lineOf(recording []byte, n int) int {
	before, _, found := bytes.Cut(recording, fmt.Appendf(nil, `{"exchange":{"n":%d,`, n))
	if !found {
		return 0
	}
	return bytes.Count(before, []byte("\n")) + 1
}
