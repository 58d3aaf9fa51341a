package reports

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// summaryMost is the largest size of the summary, in bytes. GitHub accepts 1 MiB for a step and 64 KiB for a comment.
const summaryMost = 64 << 10

// Summary returns the run in Markdown: the verdict, the gates, what to fix first, and the animals that stay on the
// target.
func Summary(out Outcome) []byte {
	s := &summary{}
	s.head(out)
	s.gates(out.Decision.Gates)
	s.causes(out)
	s.failures(out)
	s.waivers(out)
	s.changes(out)
	s.created(out.Results)
	s.counts(out.Results)
	return []byte(s.b.String())
}

type summary struct {
	b    strings.Builder
	full bool
}

// room is reserved for the line that says that the summary is cut off.
const room = 256

// add writes a block. If there is no room, it says so once and drops this block and all later ones.
func (s *summary) add(block string) {
	switch {
	case s.full:
	case s.b.Len()+len(block) > summaryMost-room:
		s.full = true
		s.b.WriteString("\n_The summary is cut off here because of its size; report.html has everything._\n")
	default:
		s.b.WriteString(block)
	}
}

// signs are the emoji that are shown before a decision, by the class of its mark.
var signs = map[string]string{"good": "✅", "mind": "🟡", "bad": "❌"}

func (s *summary) head(out Outcome) {
	res := out.Results
	sign := signs[out.Decision.Mark().Class]
	if out.Decision.Word == decision.NoVerdict && !out.Decision.Accepted() {
		sign = "⚪"
	}
	s.add(fmt.Sprintf("## %s %s\n\n", sign, escape(out.Decision.Headline)))
	if verdict := out.Decision.Beside(res); verdict != "" {
		s.add(fmt.Sprintf("Verdict: **%s**\n\n", verdict))
	}
	s.add(escape(out.Decision.Sentence) + "\n\n")
	target := strings.TrimSuffix(safe.Target(res), res.Target.URL) + code(res.Target.URL)
	if res.Target.Build != "" && !res.OfClient() {
		target += ", build " + code(res.Target.Build)
	}
	s.add(fmt.Sprintf("%s · run %s · %s · %s · %s · %s\n\n", target, code(res.Run), safe.Time(res.Started),
		res.Took().Round(time.Millisecond), res.Traffic(), code(res.Tool)))
	if res.Verdict == verdict.NoVerdict { // those of a deviation are told below, failure by failure
		for _, r := range res.Reasons {
			s.add("- " + escape(r.Sentence) + "\n")
		}
	}
	for _, q := range res.Unmet() {
		s.add(fmt.Sprintf("- not met by the client: %s: %s\n", q.ID, escape(q.Reason)))
	}
	for _, w := range res.Warnings {
		s.add("- Warning: " + escape(w) + "\n")
	}
}

func (s *summary) gates(gates []decision.Gate) {
	s.add("\n| Gate | Limit | Measured | Result |\n|---|---|---|---|\n")
	for _, g := range gates {
		s.add(fmt.Sprintf("| %s | %s | %s | %s |\n", g.Name, escape(g.Limit), escape(g.Measured), g.Result))
	}
}

// causes lists what to fix first, and then tells each cause.
func (s *summary) causes(out Outcome) {
	causes := cause.Of(out.Results)
	if len(causes) == 0 {
		return
	}
	if len(causes) > 1 {
		s.add("\n### Fix first: " + Order + "\n\n")
		for i, c := range causes {
			s.add(fmt.Sprintf("%d. %s\n", i+1, escape(inLine(c))))
		}
	}
	s.add("\n### Failures\n")
	for i, c := range causes {
		var card strings.Builder
		_ = Card(&card, strconv.Itoa(i+1), c, out.Results, out.Recording, CardStyle{}) // a Builder takes everything
		s.add("\n" + fenced(card.String()))
	}
}

func (s *summary) failures(out Outcome) {
	for _, part := range []struct {
		title string
		want  func(verdict.Check) bool
	}{
		{"Broken shoulds (they fail a run only with `--strict`)",
			func(c verdict.Check) bool { return c.Verdict == verdict.Failed && !out.Results.Breaks(c) }},
		{"Waived failures", func(c verdict.Check) bool { return c.Verdict == verdict.Waived }},
	} {
		titled := false
		for _, c := range out.Results.Checks {
			if !part.want(c) {
				continue
			}
			if !titled {
				s.add("\n### " + part.title + "\n")
				titled = true
			}
			var card strings.Builder
			_ = Card(&card, c.ID, cause.OfCheck(c), out.Results, out.Recording, CardStyle{Each: true}) // a Builder takes everything
			s.add("\n" + fenced(card.String()))
		}
	}
}

func (s *summary) waivers(out Outcome) {
	if len(out.Waivers) == 0 {
		return
	}
	s.add("\n### Waivers\n\n| Id | Excuses | State | Ends | Ticket | Owner, approver |\n|---|---|---|---|---|---|\n")
	for _, w := range out.Waivers {
		s.add(fmt.Sprintf("| %s | %s | %s | %s | %s | %s, %s |\n", escape(w.ID), escape(w.Names()), w.State,
			w.Ends.Format(time.DateOnly), escape(w.Ticket), escape(w.Owner), escape(w.Approver)))
	}
}

func (s *summary) changes(out Outcome) {
	if out.Diff == nil {
		return
	}
	var text strings.Builder
	_ = out.Diff.Text(&text, Columns) // a Builder takes everything
	s.add("\n### Since the last run\n\n" + fenced(text.String()))
}

// mostCreated is the largest number of animals that the summary lists. A run of a service creates fewer; clients may
// create any number.
const mostCreated = 100

func (s *summary) created(res verdict.Results) {
	if len(res.Created) == 0 {
		return
	}
	n := spec.Count(len(res.Created), "animal")
	if res.OfClient() {
		s.add(fmt.Sprintf("\n### Created by the clients: %s\n\n", n))
	} else {
		s.add(fmt.Sprintf("\n### Left on the target: %s\n\nThe service has no delete, so they stay.\n\n", n))
	}
	for _, c := range res.Created[:min(len(res.Created), mostCreated)] {
		note := ""
		if c.Unwanted {
			note = " (its request should have been refused)"
		}
		s.add(fmt.Sprintf("- %s %s%s\n", code(c.ID.String()), code(c.Name), note))
	}
	if more := len(res.Created) - mostCreated; more > 0 {
		s.add(fmt.Sprintf("- and %s more, in results.json\n", spec.Number(more)))
	}
}

func (s *summary) counts(res verdict.Results) {
	s.add("\n### Requirements\n\n| Level")
	for _, v := range verdict.Order() {
		s.add(" | " + string(v))
	}
	s.add(" |\n|---|" + strings.Repeat("--:|", len(verdict.Order())) + "\n")
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		n := res.Count(level)
		s.add("| " + string(level))
		for _, v := range verdict.Order() {
			s.add(fmt.Sprintf(" | %d", n[v]))
		}
		s.add(" |\n")
	}
}
