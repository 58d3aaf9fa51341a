package check

import (
	"fmt"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Text returns the findings of a check, four lines each: the requirement with its clause, the request, Expected and Actual.
func Text(v verdict.Check) string {
	var b strings.Builder
	for _, f := range v.Findings {
		r, _ := spec.TheLedger().Find(f.Requirement)
		fmt.Fprintf(&b, "%s (%s): %s\n  %s", f.Requirement, r.Clause, r.Statement, f.Message)
		if f.Exchange > 0 {
			fmt.Fprintf(&b, ", exchange %d", f.Exchange)
		}
		fmt.Fprintf(&b, "\n  Expected: %s\n  Actual:   %s\n", f.Expected, f.Actual)
	}
	return b.String()
}
