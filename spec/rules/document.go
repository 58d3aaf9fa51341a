package rules

import (
	"fmt"
	"slices"
	"sync"

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
	case what == "" || slices.ContainsFunc(aboveTheNet(), func(judge func(history.Exchange) Reading) bool { return len(judge(x).Broken) > 0 }):
		return reading()
	}
	return reading(broken("SERVICE-6", fmt.Sprintf("the %d to %s %s", x.Status(), x.Request.Method, x.Request.Path),
		"a response that matches the OpenAPI document (petconform list openapi)", clip(what)))
}

// aboveTheNet are the rules that judge one exchange, other than the net.
var aboveTheNet = sync.OnceValue(func() (judges []func(history.Exchange) Reading) {
	for _, r := range slices.Concat(transportRules(), petRules(), listingRules(), creationRules(), getPetRules(), keyRules(),
		errorRules(), allowanceRules()) {
		if r.Each != nil {
			judges = append(judges, r.Each)
		}
	}
	return judges
})
