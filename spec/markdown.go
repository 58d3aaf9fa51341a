package spec

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// WriteMarkdown writes the interface as a page: the operations and the bodies of the OpenAPI document, the plans, and every
// requirement of the ledger under its clause. spec/README.md is this page.
func WriteMarkdown(w io.Writer) error {
	p := &page{}
	p.say("<!-- Made by: go run ./cmd/petconform list interface > spec/README.md -->\n")
	p.say("# The pet adoption service interface, %s\n", InterfaceVersion)
	p.say("This page is made from [openapi.yaml](openapi.yaml) and [ledger.yaml](ledger.yaml). [GLOSSARY.md](GLOSSARY.md) explains the words.\n")
	p.operations(Document())
	p.bodies(Document())
	p.plans()
	p.requirements("Requirements", "The interface states a *must*; a standard states a *should* in addition. An *open* question is one that the interface leaves open (\"not shown\").\nThe last column says what proves the requirement: a check that sends, a rule that reads every response, a load run, a comparison of two targets, or the reason why nothing does.", TheLedger().Requirements)
	p.requirements("Requirements of clients", "What the interface requires of a client. Only `petconform client` judges these requirements.", TheLedger().Clients)
	_, err := io.WriteString(w, p.String())
	return err
}

// page is a Markdown page that grows.
type page struct{ strings.Builder }

func (p *page) say(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) row(cells ...string) { p.say("| %s |", strings.Join(cells, " | ")) }

func (p *page) head(cells ...string) {
	p.row(cells...)
	p.row(slices.Repeat([]string{"---"}, len(cells))...)
}

func (p *page) operations(doc *openapi3.T) {
	p.say("## Operations\n\nPaths are relative to the base address, which ends in `/v1`. Every operation requires the API key as a bearer token.\n")
	p.head("operation", "request", "parameters", "responses")
	for _, o := range Operations() {
		r := routeOf(doc, o)
		var parameters []string
		for _, q := range r.Operation.Parameters {
			parameters = append(parameters, fmt.Sprintf("`%s`: %s", q.Value.Name, typeOf(q.Value.Schema)))
		}
		if r.Operation.RequestBody != nil {
			parameters = append(parameters, "body: "+typeOf(r.Operation.RequestBody.Value.Content.Get("application/json").Schema))
		}
		name := string(o)
		if r.Operation.Deprecated {
			name += ", deprecated: removed on " + Removal.Format("2 January 2006")
		}
		p.row(name, fmt.Sprintf("`%s %s`", r.Method, r.Path), strings.Join(parameters, "; "), strings.ReplaceAll(strings.Join(slices.Sorted(maps.Keys(r.Operation.Responses.Map())), ", "), "default", "any other error"))
	}
	p.say("")
}

func (p *page) bodies(doc *openapi3.T) {
	p.say("## Bodies\n")
	p.head("schema", "member", "type", "required")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		s := doc.Components.Schemas[name].Value
		if len(s.Properties) == 0 {
			p.row(name, "", typeOf(&openapi3.SchemaRef{Value: s}), "")
		}
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			required := ""
			if slices.Contains(s.Required, member) {
				required = "yes"
			}
			p.row(name, "`"+member+"`", typeOf(s.Properties[member]), required)
		}
	}
	p.say("")
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

func (p *page) plans() {
	p.say("## Plans\n")
	p.head("plan", "requests per minute", "requests per day")
	figure := func(n int64) string {
		if n == 0 {
			return "custom"
		}
		return fmt.Sprint(n)
	}
	for _, plan := range Plans() {
		p.row(plan.Name, figure(plan.PerMinute), figure(plan.PerDay))
	}
	p.say("")
}

func (p *page) requirements(title, about string, all []Requirement) {
	p.say("## %s\n\n%s\n", title, about)
	var clauses []string
	by := map[string][]Requirement{}
	for _, r := range all {
		if by[r.Clause] == nil {
			clauses = append(clauses, r.Clause)
		}
		by[r.Clause] = append(by[r.Clause], r)
	}
	for _, clause := range clauses {
		p.say("### %s\n", clause)
		p.head("id", "level", "requirement", "proved by")
		for _, r := range by[clause] {
			proof := string(r.Proof)
			if r.Proof == ByNothing {
				proof = "nothing: " + r.Why
			}
			if r.Proof == ByTwo {
				proof = "two targets"
			}
			p.row(string(r.ID), string(r.Level), r.Statement, proof)
		}
		p.say("")
	}
}
