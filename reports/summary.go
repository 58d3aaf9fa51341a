package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/safe"
)

// Bounds of the summary, in bytes, with what is reserved of it for the line that says that it is cut off: GitHub accepts
// 1 MiB for a step and 64 KiB for a comment. Then the characters of a value in a line.
const (
	summaryMost  = 64 << 10
	room         = 256
	markdownMost = 300
)

// signs are the emoji that are shown before a decision, by the class of its mark.
var signs = map[string]string{"good": "✅", "mind": "🟡", "bad": "❌"}

// Summary prints the run in Markdown, in the order of the page: verdict, not tested, failures, gates, since. What
// a terminal shows too is a block of text. If there is no room for a block, it says so and drops that block and all later
// ones.
func Summary(w io.Writer, v View) error {
	var b strings.Builder
	full := false
	add := func(format string, args ...any) {
		block := fmt.Sprintf(format, args...)
		if full = full || b.Len()+len(block) > summaryMost-room; !full {
			b.WriteString(block)
		}
	}
	res := v.Results
	add("## %s %s\n\nRun %s of %s, %s, %s", signs[v.Mark().Class], escape(v.Headline), escape(res.Run), escape(v.Name()),
		safe.Time(res.Started), escape(res.Tool))
	verdict, others := printed(Style{}), printed(Style{})
	verdict.verdict(v)
	add("\n\n%s", fenced(verdict.String()))
	for _, c := range v.Cards {
		add("\n### %d. %s\n\n%s", c.N, escape(c.Title), fenced(CardText(c, Style{})))
	}
	if others.others(v); others.Len() > 0 {
		add("\n%s", fenced(others.String()))
	}
	add("\n### Gates\n\n| Gate | Measured | Result |\n|---|---|---|\n")
	for _, g := range v.Gates {
		add("| %s | %s | %s |\n", g.Name, escape(g.Measured), g.Word())
	}
	if v.Diff != nil {
		add("\n### Since %s\n\n%s", escape(v.Diff.Since()), fenced(v.Diff.Text(Columns)))
	}
	if full {
		b.WriteString("\n_The summary is cut off here because of its size; report.html has everything._\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown turns what has an effect in Markdown into what shows it: links, mentions, images and HTML. A name behind an @
// would be notified, and an address would be made a link without any mark around it.
var markdown = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@&#8203;", "://", ":&#8203;//", "www.", "www&#8203;.",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "|", `\|`,
	"~", `\~`, "$", `\$`)

// escape returns Markdown that shows exactly s.
func escape(s string) string { return markdown.Replace(safe.Clip(safe.Line(s), markdownMost)) }

// fenced writes a block of text as it is, behind a fence longer than any in it.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}
