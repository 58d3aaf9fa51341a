// Package safe makes text of a target safe to show: nothing in it moves the cursor, hides a word or breaks a line.
package safe

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"petconform/spec"
)

// Line returns s on one line. Line breaks become ⏎, and other invisible characters are replaced by their codes.
func Line(s string) string { return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(Text(s)) }

// Text is Line, but keeps line breaks and tabs.
func Text(s string) string { return spec.Visible(s) }

// Clip keeps at most n characters and says by … that it cut.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:max(0, n-1)]) + "…"
}

// Time writes a time in UTC, to the second.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// Digest is the SHA-256 of data in hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Groups returns a digest in groups of eight characters, to compare two by eye.
func Groups(digest string) string {
	return strings.TrimSpace(regexp.MustCompile(".{1,8}").ReplaceAllString(digest, "$0 "))
}

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
