package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/cause"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// MaxAnnotations is the largest number of annotations of a kind that GitHub shows for a step. It drops others silently.
const MaxAnnotations = 10

// Annotations writes the causes of the failures as GitHub's workflow commands, at most MaxAnnotations of them: first
// the headline of the decision, then remarks on the run, then the causes that make the run deviate. If there are more,
// the last one says how many.
func Annotations(w io.Writer, out Outcome) error {
	var lines []string
	if out.Decision.Code != verdict.ExitConforms {
		lines = append(lines, annotation("error", out.Decision.Headline, out.Decision.Sentence))
	}
	warned := 0
	warn := func(title, message string) {
		lines = append(lines, annotation("warning", title, message))
		warned++
	}
	if out.Results.Target.Reference {
		warn("the built-in reference service was judged", "No target was given. Give the address of your service with --target or PETCONFORM_TARGET.")
	}
	if p := out.Results.Part; p != nil && p.Accepted {
		warn(p.String(), out.Decision.Sentence)
	}
	for _, c := range cause.Of(out.Results) {
		lines = append(lines, annotation("error", c.Title, details(c)))
	}
	if more := len(lines) - warned - MaxAnnotations; more > 0 {
		lines = append(lines[:warned+MaxAnnotations-1], annotation("error", "more causes",
			fmt.Sprintf("%d more causes of failures are in %s", more+1, SummaryFile)))
	}
	_, err := io.WriteString(w, strings.Join(lines, ""))
	return err
}

func details(c cause.Cause) string {
	f := c.Places[0].Finding
	text := fmt.Sprintf("%s\n%s, in %s\n%s\nExpected: %s\nActual: %s", spec.TheLedger().Effect(c.Requirements[0]),
		requirementsOf(c), spec.List(c.Checks()), f.Message, safe.Clip(f.Expected, 300), safe.Clip(f.Actual, 300))
	return strings.TrimPrefix(text, "\n") // a should has no effect
}

// annotation writes one command. It escapes what GitHub reads as syntax, so that text of a target cannot end the
// command or begin another.
func annotation(level, title, message string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::%s title=%s::%s\n", level, property.Replace(safe.Clip(safe.Line(title), 200)), data.Replace(safe.Text(message)))
}
