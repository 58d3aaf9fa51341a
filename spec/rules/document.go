package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// documentRules is the net under the other rules: no response may contradict the OpenAPI document without a finding.
func documentRules() []Rule {
	return []Rule{{ID: "openapi-document", Title: "No response contradicts the OpenAPI document", Proves: []spec.ID{"SERVICE-6"},
		Each: func(x history.Exchange) Reading { return contradiction(x, All()) }}}
}

// contradiction holds a response against the document. What one of the other rules finds broken in the same response is not
// said twice.
func contradiction(x history.Exchange, others []Rule) Reading {
	if !x.Answered() || !x.Named() {
		return beside
	}
	what, named := spec.Contradiction(spec.Document(), x.Operation, x.Status(), x.Response.Header, x.Response.Body)
	switch {
	case !named:
		return beside
	case what == "" || slices.ContainsFunc(others, func(r Rule) bool { return r.ID != "openapi-document" && r.Each != nil && len(r.Each(x).Broken) > 0 }):
		return held()
	}
	return held(broken("SERVICE-6", fmt.Sprintf("the %d to %s %s", x.Status(), x.Request.Method, x.Request.Path),
		"what the OpenAPI document says of it (petconform list openapi)", clip(what)))
}
