package main

import (
	"context"

	"petconform/cmd/petconform/terminal"
	"petconform/spec"
)

// listCommand is petconform list.
type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: requirements, checks (the default), rules, plans; stacks, which have hints; deviations and freedoms of serve; or print the interface, openapi, ledger or proof." enum:"checks,rules,requirements,plans,deviations,freedoms,stacks,interface,openapi,ledger,proof" default:"checks"`
}

// Run is petconform list.
func (c *listCommand) Run(ctx context.Context, std streams) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(std.out)
	case "openapi":
		_, err := std.out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := std.out.Write(spec.LedgerYAML)
		return err
	case "proof":
		return listProof(ctx, std.out)
	}
	t := &terminal.Table{}
	lists := []string{c.What}
	if c.What == "requirements" {
		lists = append(lists, "clients")
	}
	for _, e := range entries(lists...) {
		t.Row(append([]string{e.id}, e.cells...)...)
	}
	return t.Write(std.out)
}
