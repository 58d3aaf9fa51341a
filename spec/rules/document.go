package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// theNet is under the other rules: a response that contradicts the OpenAPI document gets a finding in any case.
var theNet = each("openapi-document", "No response contradicts the OpenAPI document", contradiction, "SERVICE-6")

// contradiction compares a response with the document. It reports nothing if another rule has a finding on the same
// response, so that one defect leads to one finding; it asks them only where the document is contradicted.
func contradiction(x history.Exchange, w *Whole) {
	if !x.Answered() || !x.Named() {
		return
	}
	what, named := spec.Contradiction(x.Operation, x.Status(), x.Response.Header, x.Response.Body)
	if !named {
		return
	}
	w.Of++
	if what == "" || slices.ContainsFunc(aboveTheNet(), func(r Rule) bool { return r.Finds(x) }) {
		return
	}
	w.Breaks(x, "SERVICE-6", fmt.Sprintf("the %d to %s", x.Status(), request(x)),
		"a response that matches the OpenAPI document (petconform list openapi)", clip(what))
}

// Finds reports whether a rule that judges single exchanges has a finding on one.
func (r Rule) Finds(x history.Exchange) bool {
	var w Whole
	if r.Each != nil {
		r.Each(x, &w)
	}
	return len(w.Broken) > 0
}
