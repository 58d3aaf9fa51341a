package waiver

import (
	"fmt"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// Draft writes w as an entry of a file, with the findings that it is for. What only people know is left empty if w does
// not have it, so that Parse refuses the entry until someone has filled it in. The entries of several drafts are a
// file.
func (w Waiver) Draft(findings []verdict.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "# %s: expected %s\n", f.Requirement, comment(f.Expected))
		fmt.Fprintf(&b, "# %s  actual   %s\n", strings.Repeat(" ", len(f.Requirement)), comment(f.Actual))
	}
	what := "check: " + w.Check
	if w.Check == "" {
		what = "requirement: " + string(w.Requirement)
	}
	fmt.Fprintf(&b, "- id: %s\n  %s\n", w.ID, what)
	for _, field := range []struct{ name, value, what string }{
		{"reason", w.Reason, "why it is not fixed before the release"}, {"risk", w.Risk, "the effect on clients"},
		{"ticket", w.Ticket, "the ticket for the fix"}, {"owner", w.Owner, "who fixes it"}, {"approver", w.Approver, "must not be the owner"},
	} {
		value := strings.ReplaceAll(safe.Line(field.value), "'", "''")
		fmt.Fprintf(&b, "  %s: '%s'    # %s\n", field.name, value, field.what)
	}
	fmt.Fprintf(&b, "  from: %s\n  ends: %s     # the first day on which it excuses nothing\n",
		w.From.Format(time.DateOnly), w.Ends.Format(time.DateOnly))
	return b.String()
}

// comment keeps what a target sent within one line of a comment.
func comment(s string) string { return safe.Clip(safe.Line(s), 160) }
