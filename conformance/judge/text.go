package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/verdict"
)

// Text returns the findings of a check: the requirement with its clause, the request, Expected, Actual and the hint.
// The requests and the hint are taken from all, the exchanges of the run.
func Text(v verdict.Check, all []exchange.Exchange) string {
	var b strings.Builder
	sign := hint.Seen(all)
	for _, f := range v.Findings {
		r, _ := spec.TheLedger().Find(f.Requirement)
		fmt.Fprintf(&b, "%s (%s): %s\n", f.Requirement, r.Clause, r.Statement)
		field := func(label, text string) {
			if text != "" {
				fmt.Fprintf(&b, "  %-9s %s\n", label+":", strings.ReplaceAll(text, "\n", "\n            "))
			}
		}
		field("Sent", cmp.Or(asSent(f.Exchange, all), f.Message))
		field("Expected", f.Expected)
		field("Actual", f.Actual)
		field("Hint", hint.Of(f.Requirement, f.Message, f.Expected, f.Actual, sign))
	}
	return spec.Visible(b.String())
}

// asSent describes an exchange: the request, its credential and body, and the status.
func asSent(n int, all []exchange.Exchange) string {
	i := slices.IndexFunc(all, func(x exchange.Exchange) bool { return x.N == n })
	if i < 0 {
		return ""
	}
	x := all[i]
	sent := fmt.Sprintf("#%d %s %s, credential: %s\n%.300s", n, x.Request.Method, x.Request.Path, x.Auth, x.Request.Body)
	if x.Failure != nil {
		return strings.TrimSpace(sent) + "\n→ " + x.Failure.Detail
	}
	return fmt.Sprintf("%s\n→ %d", strings.TrimSpace(sent), x.Status())
}
