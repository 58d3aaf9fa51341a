package bundle

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// Kind says what is said of one thing that was verified: its mark, and if it is a reason not to release, the heading and
// what to do.
type Kind struct{ mark, heading, todo string }

// What holds, what was not checked and need not be, and the reasons not to release.
var (
	Holds   = Kind{mark: "✓ "}
	Noted   = Kind{mark: "• "}
	Altered = Kind{"✗ ", "ALTERED", "The bundle is not what was made. Get it again from where it was made, or make another " +
		"with petconform signoff."}
	NotSigned = Kind{"✗ ", "NOT SIGNED BY TWO PEOPLE", "One who prepared the release and another one who approves it have to sign " +
		"this bundle, each with a key of their own that the file of allowed signers lets do that: the three lines are in " +
		"petconform's README. Change that file only if you know whose key it is."}
	NotThis = Kind{"✗ ", "NOT WHAT IS TO BE RELEASED", "Take the bundle of the target and build that you release, or make one " +
		"with petconform signoff."}
	Unchecked = Kind{"? ", "NOT FULLY CHECKED", "What has a ? below could not be checked. Mend that and verify again."}
)

// refusals are in the order in which a reader has to know of them.
var refusals = []Kind{Altered, NotSigned, NotThis, Unchecked}

// Line is one thing that was verified.
type Line struct {
	Is   Kind
	Text string
}

func lineOf(is Kind, format string, a ...any) *Line { return &Line{is, fmt.Sprintf(format, a...)} }

func (l Line) holds() bool { return l.Is.heading == "" }

// Code returns the exit code of a verification. It is 3 if anything is wrong or could not be checked; else 1 if the
// bundle says DO NOT RELEASE, or RELEASE WITH WAIVERS where these do not do. It is 0 if the bundle says RELEASE, or
// RELEASE WITH WAIVERS, and is signed, or no signature was asked for. Otherwise it is 3.
func (v Verification) Code() int {
	word := v.View.Word
	switch {
	case slices.ContainsFunc(v.Lines, func(l Line) bool { return !l.holds() }):
		return verdict.ExitNoVerdict
	case word == decision.DoNotRelease, word == decision.ReleaseWithWaivers && !v.Waivers:
		return verdict.ExitDeviates
	case v.releases() && (v.Signed != "" || v.Unsigned):
		return verdict.ExitConforms
	}
	return verdict.ExitNoVerdict
}

func (v Verification) releases() bool {
	return v.View.Word == decision.Release || v.View.Word == decision.ReleaseWithWaivers
}

// Text writes the verification for a terminal of so many columns: first whether to release, then what was checked, and
// what the bundle is about. It returns the first error of w.
func (v Verification) Text(w io.Writer, columns int) error {
	var b strings.Builder
	say := func(label, text string) {
		b.WriteString(safe.Hang(label, safe.Wrap(safe.Line(text), columns-len([]rune(label)))))
	}
	heading, todo := v.heading()
	for _, line := range append([]string{heading}, todo...) {
		say("", line)
	}
	b.WriteString("\n")
	for _, holds := range []bool{false, true} { // what is wrong comes first
		for _, line := range v.Lines {
			if line.holds() == holds {
				say(line.Is.mark, line.Text)
			}
		}
	}
	b.WriteString("\n")
	facts := []reports.Line{{Label: "It says", Text: cmp.Or(v.View.Headline, "nothing that can be read")}}
	if v.View.Word != "" {
		facts = append(append(facts, v.View.Identity()...), reports.Line{Label: "Gates", Text: v.View.Policy.Gates()})
	}
	for _, f := range append(facts, reports.Line{Label: SumsFile, Text: safe.Groups(v.Subject)}) {
		say(fmt.Sprintf("%-13s", f.Label), f.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (v Verification) heading() (heading string, todo []string) {
	for _, is := range refusals {
		if slices.ContainsFunc(v.Lines, func(l Line) bool { return l.Is == is }) {
			heading, todo = cmp.Or(heading, "DO NOT RELEASE ON THIS BUNDLE: "+is.heading), append(todo, is.todo)
		}
	}
	said := []string{v.View.Sentence, cmp.Or(v.Signed, "No signature was checked.")}
	switch {
	case heading != "":
		return heading, todo
	case !v.Waivers && v.View.Word != decision.Release:
		return "DO NOT RELEASE ON THIS BUNDLE: RELEASE is required; it says " + v.View.Headline, said
	case v.Signed != "", v.Unsigned, !v.releases():
		return v.View.Headline, said
	}
	return "NOT SIGNED OFF: no signature was checked", []string{"Name the signers with --allowed-signers FILE, " +
		"or accept the bundle without signatures with --unsigned."}
}
