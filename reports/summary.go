package reports

import (
	"fmt"
	"io"
	"strings"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
)

const (
	// summaryMost is the largest size of the summary, in bytes. GitHub accepts 1 MiB for a step and 64 KiB for a comment.
	summaryMost = 64 << 10
	// room is reserved for the line that says that the summary is cut off.
	room = 256
	// createdListed is the largest number of animals that the summary lists.
	createdListed = 30
)

// signs are the emoji that are shown before a decision, by the class of its mark.
var signs = map[string]string{"good": "✅", "mind": "🟡", "bad": "❌"}

// Summary prints the run in Markdown, in the order of the page: verdict, not tested, failures, gates, since, created. What
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
	sign := signs[v.Mark().Class]
	if v.Word == decision.NoVerdict && !v.Accepted() {
		sign = "⚪"
	}
	res := v.Results
	add("## %s %s\n\nRun %s, %s, %s", sign, escape(v.Headline), escape(res.Run), safe.Time(res.Started), escape(res.Tool))
	if res.Target.Build != "" {
		add(", build %s", escape(res.Target.Build))
	}
	add("\n\n")
	t := printed(Style{})
	t.verdict(v)
	add("%s", fenced(t.String()))
	for _, c := range v.Cards {
		add("\n### %d. %s\n\n%s", c.N, escape(c.Title), fenced(CardText(c, Style{})))
	}
	if t = printed(Style{}); len(v.Others) > 0 {
		t.others(v)
		add("\n%s", fenced(t.String()))
	}
	weighed(v, add)
	if full {
		b.WriteString("\n_The summary is cut off here because of its size; report.html has everything._\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// weighed adds what led to the decision, and what stays on the target.
func weighed(v View, add func(format string, args ...any)) {
	add("\n### Gates\n\n| Gate | Measured | Result |\n|---|---|---|\n")
	for _, g := range v.Gates {
		result := "not required"
		if g.Required {
			result = string(g.Result)
		}
		add("| %s | %s | %s |\n", g.Name, escape(g.Measured), result)
	}
	if v.Diff != nil {
		var text strings.Builder
		_ = v.Diff.Text(&text, Columns) // a Builder takes everything
		add("\n### Since %s\n\n%s", escape(v.Diff.Old.Name()), fenced(text.String()))
	}
	if len(v.Results.Created) > 0 {
		add("\n### Created\n\n%s.\n\n", escape(v.CreatedWords()))
	}
	for i, c := range v.Results.Created {
		if i == createdListed {
			add("- and %s more, in results.json\n", spec.Number(len(v.Results.Created)-createdListed))
			break
		}
		add("- %s %s%s\n", c.ID, escape(c.Name), map[bool]string{true: " (its request should have been refused)"}[c.Unwanted])
	}
}
