package waiver

import (
	"fmt"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// Draft writes an entry for a failed check, to be completed by hand: what only people know is left empty, so that Parse
// refuses it until someone has filled it in.
func Draft(c verdict.Check, from time.Time, days int) string {
	var b strings.Builder
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "# %s: expected %s\n", f.Requirement, comment(f.Expected))
		fmt.Fprintf(&b, "# %s  actual   %s\n", strings.Repeat(" ", len(f.Requirement)), comment(f.Actual))
	}
	day := from.UTC().Truncate(24 * time.Hour)
	fmt.Fprintf(&b, "- id: W-%s\n  check: %s\n", c.ID, c.ID)
	b.WriteString("  reason: \"\"    # why it is not fixed before the release\n")
	b.WriteString("  risk: \"\"      # the effect on clients\n")
	b.WriteString("  ticket: \"\"\n  owner: \"\"\n  approver: \"\"  # must not be the owner\n")
	fmt.Fprintf(&b, "  from: %s\n  ends: %s     # the first day on which it excuses nothing\n",
		day.Format(time.DateOnly), day.AddDate(0, 0, days).Format(time.DateOnly))
	return b.String()
}

// comment keeps what a target sent within one line of a comment.
func comment(s string) string { return safe.Clip(safe.Line(s), 160) }
