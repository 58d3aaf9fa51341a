package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

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

// Summary prints the run in Markdown, in the order of the page: verdict, not tested, failures, gates, since, created. If there is no room for a block, it says so and drops that block and all later ones.
func Summary(w io.Writer, v View) error {
	var b strings.Builder
	full := false
	add := func(format string, args ...any) {
		block := fmt.Sprintf(format, args...)
		if full = full || b.Len()+len(block) > summaryMost-room; !full {
			b.WriteString(block)
		}
	}
	told(v, add)
	weighed(v, add)
	if full {
		b.WriteString("\n_The summary is cut off here because of its size; report.html has everything._\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// told adds the verdict and the failures.
func told(v View, add func(format string, args ...any)) {
	res, sign := v.Results, signs[v.Mark().Class]
	if v.Word == decision.NoVerdict && !v.Accepted() {
		sign = "⚪"
	}
	add("## %s %s\n\n", sign, escape(v.Headline))
	if beside := v.Beside(res); beside != "" {
		add("Verdict: **%s**\n\n", beside)
	}
	add("%s\n\n", escape(v.Sentence))
	target := strings.TrimSuffix(safe.Target(res), res.Target.URL) + escape(res.Target.URL)
	if res.Target.Build != "" && !res.OfClient() {
		target += ", build " + escape(res.Target.Build)
	}
	add("%s · run %s · %s · %s · %s\n", target, escape(res.Run), safe.Time(res.Started), res.Took().Round(time.Millisecond),
		escape(res.Tool))
	list := func(label string, all ...string) {
		for _, one := range all {
			add("- %s%s\n", label, escape(one))
		}
	}
	list("", v.Open...)
	for _, r := range v.NotTested {
		list("Not tested: ", r.String())
	}
	list("Warning: ", res.Warnings...)
	if res.Size != "" {
		list("Size: ", res.Size)
	}
	for _, c := range v.Cards {
		add("\n### %d. %s\n\n%s", c.N, escape(c.Title), fenced(CardText(c, Style{})))
	}
	if v.Stack != "" && len(v.Cards) > 0 {
		add("\n%s\n", escape(v.Stack))
	}
	for _, c := range v.Others {
		add("\n- %s %s (%s)\n", c.Glyph, escape(c.Title), escape(named(c)))
	}
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
	for i, c := range v.Results.Created {
		switch more := len(v.Results.Created) - createdListed; {
		case i == 0:
			add("\n### Created\n\n%s.\n\n", escape(v.CreatedWords()))
		case i == createdListed:
			add("- and %s more, in results.json\n", spec.Number(more))
		}
		if i < createdListed {
			add("- %s %s%s\n", escape(c.ID.String()), escape(c.Name), map[bool]string{true: " (its request should have been refused)"}[c.Unwanted])
		}
	}
}
