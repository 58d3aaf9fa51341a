package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// MaxAnnotations is the largest number of annotations of a kind that GitHub shows for a step. It drops others silently.
const MaxAnnotations = 10

// Annotations writes the failures as GitHub's workflow commands: first the headline of the decision, then the cards,
// MaxAnnotations errors at most, then a remark on the run. If there are more, the last one says how many.
func Annotations(w io.Writer, v View) error {
	var lines []string
	if v.Code != verdict.ExitConforms {
		lines = append(lines, annotation("error", v.Headline, v.Sentence))
	}
	for _, c := range v.Cards {
		var text []string
		for _, l := range c.Lines {
			text = append(text, l.Label+": "+l.Text)
		}
		lines = append(lines, annotation("error", c.Heading(), strings.Join(text, "\n")))
	}
	if more := len(lines) - MaxAnnotations; more > 0 {
		text := fmt.Sprintf("%d more failures are in %s", more+1, SummaryFile)
		lines = append(lines[:MaxAnnotations-1], annotation("error", "more failures", text))
	}
	if v.Results.Target.Reference || v.Accepted() {
		lines = append(lines, annotation("warning", v.Headline, v.Sentence))
	}
	_, err := io.WriteString(w, strings.Join(lines, ""))
	return err
}

// What GitHub reads as syntax in a message and in a property.
var (
	inMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer(":", "%3A", ",", "%2C")
)

// annotation writes one command. It escapes what GitHub reads as syntax, so that text of a target cannot end the
// command or begin another.
func annotation(level, title, message string) string {
	title = inProperty.Replace(inMessage.Replace(safe.Clip(safe.Line(title), 200)))
	return fmt.Sprintf("::%s title=%s::%s\n", level, title, inMessage.Replace(safe.Text(message)))
}
