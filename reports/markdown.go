package reports

import (
	"strings"

	"petconform/reports/safe"
)

// markdownMost bounds one value within a line of Markdown.
const markdownMost = 300

// escape returns Markdown that shows exactly s: no link, mention, image or HTML in s has an effect.
func escape(s string) string {
	s = safe.Clip(safe.Line(s), markdownMost)
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@': // a name behind it would be notified
			b.WriteString("@&#8203;")
		case strings.ContainsRune("\\`*_{}[]#!|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	// An address would be made a link without any mark around it.
	return strings.NewReplacer("://", ":&#8203;//", "www.", "www&#8203;.").Replace(b.String())
}

// code returns a value as inline code, between enough backticks. It escapes bars, which end a table's cell even in
// code.
func code(s string) string {
	s = strings.ReplaceAll(safe.Clip(safe.Line(s), markdownMost), "|", "¦")
	if s == "" {
		return "(none)"
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fenced writes a block of text as it is, behind a fence longer than any in it.
func fenced(s string) string {
	fence := strings.Repeat("`", max(3, longestRun(s)+1))
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
