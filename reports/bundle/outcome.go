package bundle

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// Require is the decision that an intact bundle has to have for exit code 0.
type Require string

// What can be required. RequireWaived accepts RELEASE WITH WAIVERS too.
const (
	RequireRelease Require = "release"
	RequireWaived  Require = "waived"
)

// Code returns the exit code of a verification. It is 3 if there is a problem or something could not be checked; else 1
// if the bundle says DO NOT RELEASE, or RELEASE WITH WAIVERS where RELEASE is required. It is 0 if the bundle says what
// is required and is signed off, or no signature was asked for. Otherwise it is 3.
func (v Verification) Code(require Require) int {
	word := v.Decision.Word
	switch {
	case !v.OK():
		return verdict.ExitNoVerdict
	case word == decision.DoNotRelease, word == decision.ReleaseWithWaivers && require == RequireRelease:
		return verdict.ExitDeviates
	case (word == decision.Release || word == decision.ReleaseWithWaivers) && (v.SignedOff || v.Unsigned):
		return verdict.ExitConforms
	}
	return verdict.ExitNoVerdict
}

// identity tells what was tested, and in which run.
func (v Verification) identity() string {
	r := v.Results
	parts := []string{"target " + safe.Target(r)}
	for _, p := range []struct{ label, value string }{{"build", r.Target.Build}, {"environment", r.Target.Environment},
		{"run", r.Run}, {"kind", r.Kind},
		{"of", safe.Time(r.Started)}, {"by", r.Tool}} {
		if p.value != "" {
			parts = append(parts, p.label+" "+p.value)
		}
	}
	return strings.Join(parts, ", ")
}

// Text writes the verification for a terminal: first what the bundle says, then whether it is intact and signed, and
// what to do if it is not. It returns the first error of w.
func (v Verification) Text(w io.Writer) error {
	var b strings.Builder
	heading, todo := v.refused()
	b.WriteString(heading)
	if v.Decision.Word != "" {
		fmt.Fprintf(&b, "%s\n%s\n", safe.Line(v.Decision.Headline), safe.Line(v.identity()))
	} else {
		b.WriteString("The bundle does not say what was decided.\n")
	}
	for _, part := range []struct {
		glyph string
		lines []string
	}{{"✓", v.Held}, {"?", v.Unchecked}, {"✗", v.Problems}} {
		for _, line := range part.lines {
			fmt.Fprintf(&b, "%s %s\n", part.glyph, safe.Line(line))
		}
	}
	switch {
	case len(v.Problems) > 0:
		b.WriteString(todo)
	case len(v.Unchecked) > 0:
		b.WriteString("No problem was found, but not everything could be checked.\n")
	case v.SignedOff:
		fmt.Fprintf(&b, "The bundle is intact, says %s, and is signed off by two signers.\n", v.Decision.Word)
	case v.Unsigned:
		fmt.Fprintf(&b, "The bundle is intact, says %s; no signature was checked, as --unsigned asks.\n", v.Decision.Word)
	default:
		fmt.Fprintf(&b, "The bundle is intact, says %s; no signature was checked. "+
			"Name the signers with --allowed-signers FILE, or accept the bundle without them with --unsigned.\n", v.Decision.Word)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// refused returns the most serious kind of problem as a heading, and for each kind what to do. If a record does not
// count, its signature is missing too, which needs no sentence of its own.
func (v Verification) refused() (heading, todo string) {
	for _, r := range refusals {
		switch {
		case !slices.Contains(v.Refused, r):
		case heading == "":
			heading, todo = string(r)+". The bundle says:\n", r.ToDo()+"\n"
		case r != NotSigned:
			todo += r.ToDo() + "\n"
		}
	}
	return heading, todo
}
