package bundle

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/plain"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Require is the decision that an intact bundle has to have for exit code 0.
type Require string

// What can be required. RequireWaived accepts RELEASE WITH WAIVERS too, and RequireIntact any decision.
const (
	RequireRelease Require = "release"
	RequireWaived  Require = "waived"
	RequireIntact  Require = "intact"
)

// Code returns the exit code of a verification: 3 if the bundle is not intact or could not be checked completely, 0 if it says
// what is required, 1 if it says DO NOT RELEASE, or RELEASE WITH WAIVERS where RELEASE is required, and else 3.
func (v Verification) Code(require Require) int {
	word := v.Decision.Word
	switch {
	case !v.OK():
		return verdict.ExitNoVerdict
	case require == RequireIntact, word == decision.Release, word == decision.ReleaseWithWaivers && require == RequireWaived:
		return verdict.ExitConforms
	case word == decision.DoNotRelease, word == decision.ReleaseWithWaivers:
		return verdict.ExitDeviates
	}
	return verdict.ExitNoVerdict
}

// identity tells what was tested, and in which run.
func (v Verification) identity() string {
	r := v.Results
	parts := []string{"target " + reports.TargetOf(r)}
	for _, p := range []struct{ label, value string }{{"build", r.Target.Build}, {"environment", r.Target.Environment}, {"run", r.Run}, {"kind", r.Kind},
		{"of", r.Started.UTC().Format("2006-01-02 15:04:05 UTC")}, {"by", r.Tool}} {
		if p.value != "" {
			parts = append(parts, p.label+" "+p.value)
		}
	}
	return strings.Join(parts, ", ")
}

// Text writes the verification for a terminal: first what the bundle says, then whether it is intact. It returns the first error
// of w.
func (v Verification) Text(w io.Writer) error {
	var b strings.Builder
	if len(v.Problems) > 0 {
		b.WriteString("NOT INTACT. The bundle says:\n")
	}
	if v.Decision.Word != "" {
		fmt.Fprintf(&b, "%s\n%s\n", plain.Line(v.Decision.Headline), plain.Line(v.identity()))
	} else {
		b.WriteString("The bundle does not say what was decided.\n")
	}
	for _, part := range []struct {
		glyph string
		lines []string
	}{{"✓", v.Held}, {"?", v.Unchecked}, {"✗", v.Problems}} {
		for _, line := range part.lines {
			fmt.Fprintf(&b, "%s %s\n", part.glyph, plain.Line(line))
		}
	}
	switch {
	case v.OK():
		b.WriteString("The bundle is unchanged since it was made.\n")
	case len(v.Problems) == 0:
		b.WriteString("No problem was found, but not everything could be checked.\n")
	default:
		fmt.Fprintf(&b, "The bundle is not intact: %s.\n", spec.Count(len(v.Problems), "problem"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
