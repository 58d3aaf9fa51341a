package spec

import (
	_ "embed"
	"io"
	"slices"
	"text/template"
)

//go:embed readme.md.tmpl
var readme string

// WriteMarkdown writes every requirement of the ledger under its clause, as a page. spec/README.md is this page.
func WriteMarkdown(w io.Writer) error {
	page := template.New("README").Funcs(template.FuncMap{"clauses": clausesOf})
	return template.Must(page.Parse(readme)).Execute(w, map[string]any{"Version": InterfaceVersion, "Ledger": TheLedger()})
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
