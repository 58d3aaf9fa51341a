package main

import (
	"petconform/cmd/petconform/terminal"
	"petconform/spec"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: requirements, checks (the default), rules, plans; stacks, which have hints; deviations and freedoms of serve; or print the interface, openapi or ledger." enum:"checks,rules,requirements,plans,deviations,freedoms,stacks,interface,openapi,ledger" default:"checks"`
}

func (c *listCommand) Run(a *app) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(a.out)
	case "openapi":
		_, err := a.out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := a.out.Write(spec.LedgerYAML)
		return err
	}
	var rows [][2]string
	for _, e := range entries() {
		if e.list == c.What {
			rows = append(rows, [2]string{e.id, e.row})
		}
	}
	terminal.Table(a.out, rows)
	return nil
}
