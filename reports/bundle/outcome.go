package bundle

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// Code returns the exit code of a verification. It is 3 if anything is wrong or could not be checked; else 1 if the
// bundle says DO NOT RELEASE, or RELEASE WITH WAIVERS where these do not do. It is 0 if the bundle says RELEASE, or
// RELEASE WITH WAIVERS, and is signed, or no signature was asked for. Otherwise it is 3.
func (v Verification) Code(waiversDo bool) int {
	word := v.Decision.Word
	switch {
	case !v.OK():
		return verdict.ExitNoVerdict
	case word == decision.DoNotRelease, word == decision.ReleaseWithWaivers && !waiversDo:
		return verdict.ExitDeviates
	case v.releases() && (v.Signed != "" || v.Unsigned):
		return verdict.ExitConforms
	}
	return verdict.ExitNoVerdict
}

func (v Verification) releases() bool {
	return v.Decision.Word == decision.Release || v.Decision.Word == decision.ReleaseWithWaivers
}

// Text writes the verification for a terminal of so many columns: first whether to release, then what was checked, and
// what the bundle is about. It returns the first error of w.
func (v Verification) Text(w io.Writer, columns int) error {
	var b strings.Builder
	say := func(label, text string) {
		if text != "" {
			b.WriteString(safe.Hang(label, safe.Wrap(safe.Line(text), columns-len([]rune(label)))))
		}
	}
	heading, todo := v.heading()
	say("", heading)
	for _, line := range todo {
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
	for _, fact := range v.facts() {
		if fact[1] != heading {
			say(fmt.Sprintf("%-13s", fact[0]), fact[1])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading returns the first line, and what to do or to know.
func (v Verification) heading() (heading string, todo []string) {
	for _, is := range refusals {
		if slices.ContainsFunc(v.Lines, func(l Line) bool { return l.Is == is }) {
			heading, todo = cmp.Or(heading, "DO NOT RELEASE ON THIS BUNDLE: "+is.heading), append(todo, is.todo)
		}
	}
	switch {
	case heading != "":
		return heading, todo
	case v.Signed != "":
		return v.Decision.Headline, []string{v.Decision.Sentence, v.Signed}
	case v.Unsigned || !v.releases():
		return v.Decision.Headline, []string{v.Decision.Sentence, "No signature was checked."}
	}
	return "NOT SIGNED OFF: no signature was checked", []string{"Name the signers with --allowed-signers FILE, " +
		"or accept the bundle without signatures with --unsigned."}
}

// facts are labels, each with what the bundle says, of what, and in which runs.
func (v Verification) facts() [][2]string {
	r := v.Results
	if v.Decision.Word == "" {
		return [][2]string{{"It says", "nothing that can be read"}}
	}
	return [][2]string{{"It says", v.Decision.Headline}, {"Target", safe.Target(r)}, {"Reached", r.Target.Way.String()}, {"Build", r.Target.Build},
		{"Environment", r.Target.Environment}, {"Run", r.Kind + " " + r.Run}, {"Tested", safe.Time(r.Started) + " to " + safe.Time(r.Ended)},
		{"Tested by", r.Tool}, {"Gates", v.policy.Gates()}, {"SHA256SUMS", safe.Groups(v.Subject)}}
}
