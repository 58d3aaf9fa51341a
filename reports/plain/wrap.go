package plain

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

func wrapLine(s string, width int) []string {
	var lines []string
	line, used := "", 0
	flush := func() { lines, line, used = append(lines, line), "", 0 }
	for _, word := range strings.Fields(s) {
		w := uniseg.StringWidth(word)
		if used > 0 && used+1+w > width {
			flush()
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		for w > width { // a word longer than a line is cut where the line ends
			head, tail := cut(word, width)
			line += head
			flush()
			word, w = tail, uniseg.StringWidth(tail)
		}
		line, used = line+word, used+w
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// cut gives the first grapheme clusters of s that fit into width columns (one at least), and the rest.
func cut(s string, width int) (head, tail string) {
	used, at := 0, 0
	for clusters := uniseg.NewGraphemes(s); clusters.Next(); {
		w := clusters.Width()
		_, end := clusters.Positions()
		if used+w > width && at > 0 {
			break
		}
		used, at = used+w, end
	}
	return s[:at], s[at:]
}
