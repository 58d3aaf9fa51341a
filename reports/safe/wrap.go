package safe

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap breaks s into lines of at most width columns, at spaces where there are any. A word longer than a line is cut
// where the line ends. Wide characters count two columns.
func Wrap(s string, width int) (lines []string) {
	for paragraph := range strings.SplitSeq(s, "\n") {
		lines = append(lines, "")
		used := 0
		add := func(piece string, columns int) {
			if used > 0 && used+columns > width {
				lines, used = append(lines, ""), 0
			}
			lines[len(lines)-1] += piece
			used += columns
		}
		for word := range strings.FieldsSeq(paragraph) {
			if columns := uniseg.StringWidth(word); used > 0 && used+1+columns > width {
				lines, used = append(lines, ""), 0
			} else if used > 0 {
				add(" ", 1)
			}
			for clusters := uniseg.NewGraphemes(word); clusters.Next(); {
				add(clusters.Str(), clusters.Width())
			}
		}
	}
	return lines
}

// Hang writes lines behind a label, each below the first.
func Hang(label string, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(label+l, " ") + "\n")
		label = strings.Repeat(" ", uniseg.StringWidth(label))
	}
	return b.String()
}
