package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/plain"
	"petconform/spec/verdict"
)

// MaxAnnotations is how many annotations of a kind GitHub shows of a step; more are dropped without a word.
const MaxAnnotations = 10

// Annotations writes the failures as GitHub's workflow commands, at most MaxAnnotations of them: the headline of the
// release first, then what has to be known of the run, then the failures that count. When there are more, the last one says how many.
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
	for _, c := range out.Results.Checks {
		if c.Verdict == verdict.Failed && out.Results.Breaks(c) {
			lines = append(lines, annotation("error", c.ID+": "+c.Title, told(c)))
		}
	}
	if more := len(lines) - warned - MaxAnnotations; more > 0 {
		lines = append(lines[:warned+MaxAnnotations-1], annotation("error", "more failures", fmt.Sprintf("%d more failures are in %s", more+1, SummaryFile)))
	}
	_, err := io.WriteString(w, strings.Join(lines, ""))
	return err
}

func told(c verdict.Check) string {
	if len(c.Findings) == 0 {
		return c.Reason
	}
	f := c.Findings[0]
	return fmt.Sprintf("%s: %s\nExpected: %s\nActual: %s", f.Requirement, f.Message, plain.Clip(f.Expected, 300), plain.Clip(f.Actual, 300))
}

// annotation writes one command. A target's text must neither end it nor begin another, so what GitHub reads as syntax is
// written as GitHub asks.
func annotation(level, title, message string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::%s title=%s::%s\n", level, property.Replace(plain.Clip(plain.Line(title), 200)), data.Replace(plain.Text(message)))
}
