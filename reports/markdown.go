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

// fenced writes a block of text as it is, behind a fence longer than any in it.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}
