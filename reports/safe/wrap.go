package safe

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap breaks s into lines of at most width columns, at spaces where there are any. Wide characters count two columns.
func Wrap(s string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(s, "\n") {
		lines = append(lines, wrapLine(paragraph, width)...)
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

func wrapLine(s string, width int) []string {
	var lines []string
	line, used := "", 0
	flush := func() { lines, line, used = append(lines, line), "", 0 }
	for word := range strings.FieldsSeq(s) {
		pieces := cut(word, width)
		w := uniseg.StringWidth(pieces[0])
		if used > 0 && (used+1+w > width || len(pieces) > 1) {
			flush()
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		for i, piece := range pieces { // a word longer than a line is cut where the line ends
			if i > 0 {
				flush()
			}
			line, used = line+piece, used+uniseg.StringWidth(piece)
		}
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// cut splits a word into pieces of at most width columns, and of one grapheme cluster at least.
func cut(word string, width int) []string {
	var pieces []string
	from, used := 0, 0
	for clusters := uniseg.NewGraphemes(word); clusters.Next(); {
		at, _ := clusters.Positions()
		w := clusters.Width()
		if used+w > width && at > from {
			pieces = append(pieces, word[from:at])
			from, used = at, 0
		}
		used += w
	}
	return append(pieces, word[from:])
}
