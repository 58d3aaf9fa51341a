package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

const (
	// summaryMost is the largest size of the summary, in bytes. GitHub accepts 1 MiB for a step and 64 KiB for a comment.
	summaryMost = 64 << 10
	// room is reserved for the line that says that the summary is cut off.
	room = 256
	// createdListed is the largest number of animals that the summary lists.
	createdListed = 30
)

// summary is Markdown in blocks.
type summary struct {
	strings.Builder
	full bool
}

// add writes a block. If there is no room, it says so once and drops this block and all later ones.
func (s *summary) add(format string, args ...any) {
	block := fmt.Sprintf(format, args...)
	switch {
	case s.full:
	case s.Len()+len(block) > summaryMost-room:
		s.full = true
		s.WriteString("\n_The summary is cut off here because of its size; report.html has everything._\n")
	default:
		s.WriteString(block)
	}
}

// signs are the emoji that are shown before a decision, by the class of its mark.
var signs = map[string]string{"good": "✅", "mind": "🟡", "bad": "❌"}

// Summary prints the run in Markdown, in the order of the page: verdict, not tested, failures, gates, waivers, since,
// created.
func Summary(w io.Writer, v View) error {
	s := &summary{}
	s.head(v)
	for _, c := range v.Cards {
		s.add("\n### %d. %s\n\n%s", c.N, escape(c.Title), fenced(CardText(c, Style{})))
	}
	if v.Stack != "" && len(v.Cards) > 0 {
		s.add("\n%s\n", escape(v.Stack))
	}
	for _, c := range v.Others {
		s.add("\n- %s %s (%s)\n", c.Glyph, escape(c.Title), escape(named(c)))
	}
	s.add("\n### Gates\n\n| Gate | Limit | Measured | Result |\n|---|---|---|---|\n")
	for _, g := range v.Gates {
		s.add("| %s | %s | %s | %s |\n", g.Name, escape(g.Limit), escape(g.Measured), resultOf(g))
	}
	s.waivers(v)
	if v.Diff != nil {
		var text strings.Builder
		_ = v.Diff.Text(&text, Columns) // a Builder takes everything
		s.add("\n### Since %s\n\n%s", escape(v.Diff.Old.Name()), fenced(text.String()))
	}
	s.created(v)
	_, err := io.WriteString(w, s.String())
	return err
}

// resultOf is the result of a gate, in words.
func resultOf(g decision.Gate) string {
	if !g.Required {
		return "not required"
	}
	return string(g.Result)
}

func (s *summary) head(v View) {
	res, sign := v.Results, signs[v.Mark().Class]
	if v.Word == decision.NoVerdict && !v.Accepted() {
		sign = "⚪"
	}
	s.add("## %s %s\n\n", sign, escape(v.Headline))
	if beside := v.Beside(res); beside != "" {
		s.add("Verdict: **%s**\n\n", beside)
	}
	s.add("%s\n\n", escape(v.Sentence))
	target := strings.TrimSuffix(safe.Target(res), res.Target.URL) + code(res.Target.URL)
	if res.Target.Build != "" && !res.OfClient() {
		target += ", build " + code(res.Target.Build)
	}
	s.add("%s · run %s · %s · %s · %s\n", target, code(res.Run), safe.Time(res.Started), res.Took().Round(time.Millisecond), code(res.Tool))
	for _, reason := range v.Open {
		s.add("- %s\n", escape(reason))
	}
	for _, r := range v.NotTested {
		s.add("- Not tested: %s\n", escape(r.String()))
	}
	for _, w := range res.Warnings {
		s.add("- Warning: %s\n", escape(w))
	}
	if res.Size != "" {
		s.add("- Size: %s\n", escape(res.Size))
	}
}

func (s *summary) waivers(v View) {
	if len(v.Waivers) == 0 {
		return
	}
	s.add("\n### Waivers\n\n| Id | Excuses | State | Ends | Ticket | Owner, approver |\n|---|---|---|---|---|---|\n")
	for _, w := range v.Waivers {
		s.add("| %s | %s | %s | %s | %s | %s, %s |\n", escape(w.ID), escape(w.Names()), w.State,
			w.Ends.Format(time.DateOnly), escape(w.Ticket), escape(w.Owner), escape(w.Approver))
	}
}

func (s *summary) created(v View) {
	all := v.Results.Created
	if len(all) == 0 {
		return
	}
	s.add("\n### Created\n\n%s.\n\n", escape(v.CreatedWords()))
	for _, c := range all[:min(len(all), createdListed)] {
		s.add("- %s %s%s\n", code(c.ID.String()), code(c.Name), unwanted(c))
	}
	if more := len(all) - createdListed; more > 0 {
		s.add("- and %s more, in results.json\n", spec.Number(more))
	}
}

func unwanted(c verdict.Created) string {
	if c.Unwanted {
		return " (its request should have been refused)"
	}
	return ""
}

// CreatedWords says how many animals were created, and that they stay.
func (v View) CreatedWords() string {
	n := spec.Count(len(v.Results.Created), "animal")
	if v.Results.OfClient() {
		return n + " created by the clients"
	}
	return n + " created; they stay, because the service has no delete"
}
