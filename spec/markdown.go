package spec

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

//go:embed readme.md.tmpl
var readme string

// WriteMarkdown writes the interface as a page: the operations and the bodies of the OpenAPI document, the plans, and
// every requirement of the ledger under its clause. spec/README.md is this page.
func WriteMarkdown(w io.Writer) error {
	doc := Document()
	page := template.New("README").Funcs(template.FuncMap{
		"route":      func(o Operation) *routers.Route { return routeOf(doc, o) },
		"parameters": parametersOf, "responses": responsesOf, "type": typeOf, "in": slices.Contains[[]string], "clauses": clausesOf,
	})
	return template.Must(page.Parse(readme)).Execute(w, map[string]any{
		"Version": InterfaceVersion, "Removal": Removal.Format("2 January 2006"), "Operations": Operations(),
		"Schemas": doc.Components.Schemas, "Plans": Plans(), "Ledger": TheLedger(),
	})
}

// parametersOf describes the parameters and the body of an operation.
func parametersOf(o *openapi3.Operation) string {
	var all []string
	for _, p := range o.Parameters {
		all = append(all, fmt.Sprintf("`%s`: %s", p.Value.Name, typeOf(p.Value.Schema)))
	}
	if o.RequestBody != nil {
		all = append(all, "body: "+typeOf(o.RequestBody.Value.Content.Get("application/json").Schema))
	}
	return strings.Join(all, "; ")
}

func responsesOf(o *openapi3.Operation) string {
	all := strings.Join(slices.Sorted(maps.Keys(o.Responses.Map())), ", ")
	return strings.ReplaceAll(all, "default", "any other error")
}

// typeOf describes a schema: a named schema by its name, any other by its type, format, range, values and default.
func typeOf(ref *openapi3.SchemaRef) string {
	if ref.Ref != "" {
		return ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
	}
	s := ref.Value
	words := []string{strings.Join(s.Type.Slice(), " or ")}
	if s.Items != nil {
		words[0] += " of " + typeOf(s.Items)
	}
	if s.Format != "" {
		words = append(words, s.Format)
	}
	if s.Min != nil && s.Max != nil {
		words = append(words, fmt.Sprintf("%v to %v", *s.Min, *s.Max))
	}
	if len(s.Enum) > 0 {
		words = append(words, strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	if s.Default != nil {
		words = append(words, fmt.Sprintf("default %v", s.Default))
	}
	return strings.Join(words, ", ")
}

// clausesOf groups requirements by their clause, in the order of their first ones.
func clausesOf(all []Requirement) (clauses [][]Requirement) {
	for _, r := range all {
		i := slices.IndexFunc(clauses, func(c []Requirement) bool { return c[0].Clause == r.Clause })
		if i < 0 {
			i, clauses = len(clauses), append(clauses, nil)
		}
		clauses[i] = append(clauses[i], r)
	}
	return clauses
}
