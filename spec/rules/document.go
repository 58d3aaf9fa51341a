package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// documentRules are the net under the other rules: a response that contradicts the OpenAPI document gets a finding in
// any case.
func documentRules() []Rule {
	return []Rule{{ID: "openapi-document", Title: "No response contradicts the OpenAPI document", Proves: []spec.ID{"SERVICE-6"},
		Each: contradiction}}
}

// contradiction compares a response with the document. It reports nothing if another rule has a finding on the same
// response, so that one defect leads to one finding; it asks them only where the document is contradicted.
func contradiction(x history.Exchange) Reading {
	if !x.Answered() || !x.Named() {
		return notConcerned
	}
	what, named := spec.Contradiction(spec.Document(), x.Operation, x.Status(), x.Response.Header, x.Response.Body)
	switch {
	case !named:
		return notConcerned
	case what == "" || slices.ContainsFunc(aboveTheNet(), func(r Rule) bool { return r.Each != nil && len(r.Each(x).Broken) > 0 }):
		return reading()
	}
	return reading(broken("SERVICE-6", fmt.Sprintf("the %d to %s", x.Status(), request(x)),
		"a response that matches the OpenAPI document (petconform list openapi)", clip(what)))
}
