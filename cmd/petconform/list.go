package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/proof"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: requirements, checks (the default), rules, plans; stacks, which have hints; deviations and freedoms of serve; or print the interface, openapi, ledger or proof." enum:"checks,rules,requirements,plans,deviations,freedoms,stacks,interface,openapi,ledger,proof" default:"checks"`
}

func (c *listCommand) Run(ctx context.Context, a *app) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(a.out)
	case "openapi":
		_, err := a.out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := a.out.Write(spec.LedgerYAML)
		return err
	case "proof":
		return listProof(ctx, a.out)
	}
	t := &terminal.Table{}
	lists := []string{c.What}
	if c.What == "requirements" {
		lists = append(lists, "clients")
	}
	for _, e := range entries(lists...) {
		t.Row(append([]string{e.id}, e.cells...)...)
	}
	return t.Write(a.out)
}

// listProof runs the suite against each deviation of the reference service and prints the requirements that it found
// broken. A deviation that is not caught is a gap, and a suite with a gap must not be trusted, so a gap is an error.
func listProof(ctx context.Context, w io.Writer) error {
	var precision []int
	gaps := 0
	err := proof.Table(ctx, func(r proof.Row) {
		word := "caught"
		if !r.Caught() {
			word = "GAP"
			gaps++
		}
		precision = append(precision, len(r.Named))
		by := fmt.Sprintf("%-6s %s: %s by %s", word, r.Deviation.Name, spec.Join(r.Named, " "), strings.Join(r.By, ", "))
		for i, line := range safe.Wrap(by, terminal.Width(w)-7) {
			if i > 0 {
				line = "       " + line
			}
			fmt.Fprintln(w, line)
		}
	})
	if err != nil {
		return noVerdict(err)
	}
	slices.Sort(precision)
	fmt.Fprintf(w, "\n%s, %s; requirements named for each: median %d, maximum %d\n", spec.Count(len(precision), "deviation"), spec.Count(gaps, "gap"),
		precision[len(precision)/2], precision[len(precision)-1])
	fmt.Fprintf(w, "%d more show only under load, by exploration or in a day.\nPETCONFORM_LONG=1 go test ./conformance/proof checks %d freedoms and %d pairs of them.\n",
		len(deviations.All())-len(precision), len(freedoms.All()), len(freedoms.Pairs()))
	if gaps > 0 {
		return noVerdict(fmt.Errorf("%s not caught as the ledger says", spec.Count(gaps, "deviation")))
	}
	return nil
}
