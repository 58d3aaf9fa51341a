package main

import (
	"fmt"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/spec"
	"petconform/spec/hint"
)

type explainCommand struct {
	ID  string `arg:"" help:"Id of a requirement (LIST-5), check, rule, deviation or freedom."`
	For string `help:"Say what usually breaks the requirement in services with this framework or limiter, and what mends it; petconform list stacks names them." placeholder:"STACK"`
}

func (c *explainCommand) Run(a *app) error {
	if c.For != "" {
		return c.explainFor(a)
	}
	var known []string
	for _, e := range entries() {
		if len(e.about) > 0 && strings.EqualFold(e.id, c.ID) {
			e.explain(a.out)
			return nil
		}
		known = append(known, e.id)
	}
	hint := "petconform list names the checks; petconform list --help names the other lists"
	if near := spec.Nearest(c.ID, known); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return usage("no requirement, check, rule, deviation or freedom is called %q; %s", c.ID, hint)
}

// explainFor prints what usually breaks a requirement in services with a framework or limiter, or else its general
// hint.
func (c *explainCommand) explainFor(a *app) error {
	r, found := spec.TheLedger().Find(spec.ID(strings.ToUpper(c.ID)))
	if !found {
		return usage("--for is for a requirement, and %q is none; petconform list requirements names them", c.ID)
	}
	all := hint.Stacks()
	i := slices.IndexFunc(all, func(s hint.Stack) bool { return strings.EqualFold(s.For, c.For) || strings.EqualFold(s.Name, c.For) })
	if i < 0 {
		return usage("nothing is known of the stack %q; petconform list stacks names those that are known", c.For)
	}
	terminal.Paragraph(a.out, "", headOf(r))
	terminal.Paragraph(a.out, "", r.Statement)
	rows := all[i].Breaking(r.ID)
	for _, row := range rows {
		terminal.Paragraph(a.out, all[i].Name+": ", fmt.Sprintf("usually %s. %s", row.Wrong, row.Mend))
	}
	if len(rows) == 0 {
		terminal.Paragraph(a.out, "", fmt.Sprintf("Nothing of its own is known of %s here. %s", all[i].Name, r.Hint))
	}
	return nil
}
