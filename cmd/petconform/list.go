package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"petconform/conformance"
	"petconform/conformance/clients"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/rules"
)

// listCommand is petconform list.
type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: checks, rules, requirements, plans, deviations, freedoms, interface, openapi, ledger or proof." enum:"checks,rules,requirements,plans,deviations,freedoms,interface,openapi,ledger,proof" default:"checks"`
}

// Run is petconform list.
func (c *listCommand) Run(ctx context.Context, std streams) error {
	t, out := &table{}, std.out
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(out)
	case "openapi":
		_, err := out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := out.Write(spec.LedgerYAML)
		return err
	case "proof":
		return listProof(ctx, out)
	case "rules":
		for _, r := range rules.All() {
			t.row(r.ID, r.Title+proving(r.Proves))
		}
	case "requirements":
		proved := provedBy()
		for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
			t.row(string(r.ID), string(r.Level), fmt.Sprintf("%-5s", string(r.Proof)), strings.Join(proved[r.ID], " "))
		}
	case "plans":
		for _, p := range spec.Plans() {
			t.row(p.Name, figure(p.PerMinute, "a minute"), figure(p.PerDay, "a day"))
		}
	case "deviations":
		for _, d := range reference.Deviations() {
			t.row(d.Name, join(d.Breaks), string(d.Needs))
		}
	case "freedoms":
		for _, f := range slices.Concat(reference.Freedoms(), reference.FreedomsAtRest()) {
			t.row(f.Name, f.Says)
		}
	default:
		for _, ch := range conformance.Checks() {
			t.row(ch.ID, requestsOf(ch), ch.Title+proving(ch.Requirements()))
		}
	}
	return t.write(out)
}

// table is rows of cells, the first of which is a name.
type table struct {
	rows []string
	name int // the width of the longest name
}

func (t *table) row(cells ...string) {
	t.rows, t.name = append(t.rows, strings.Join(cells, "\t")), max(t.name, len(cells[0]))
}

const betweenCells = 2

// write aligns the cells. On a terminal it breaks a row that is wider than reports.Columns at a space, and begins the rest below the
// second cell.
func (t *table) write(out io.Writer) error {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, betweenCells, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.rows, "\n"))
	if err := w.Flush(); err != nil {
		return err
	}
	indent := strings.Repeat(" ", t.name+betweenCells)
	for line := range strings.Lines(aligned.String()) {
		line = strings.TrimRight(line, " \n")
		for isTerminal(out) && len(line) > reports.Columns {
			at := strings.LastIndexByte(line[:reports.Columns+1], ' ')
			if at <= len(indent) {
				break
			}
			fmt.Fprintln(out, strings.TrimRight(line[:at], " "))
			line = indent + line[at+1:]
		}
		fmt.Fprintln(out, line)
	}
	return nil
}

// proving returns the requirements that a check or rule proves, if any.
func proving(ids []spec.ID) string {
	if len(ids) == 0 {
		return ""
	}
	return " (" + join(ids) + ")"
}

func join(ids []spec.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, " ")
}

func figure(n int64, per string) string {
	if n == 0 {
		return "custom"
	}
	return spec.Number(n) + " " + per
}

// provedBy returns the ids of the checks and rules that prove each requirement.
func provedBy() map[spec.ID][]string {
	proved := map[spec.ID][]string{}
	for _, c := range conformance.Checks() {
		for _, id := range c.Requirements() {
			proved[id] = append(proved[id], c.ID)
		}
	}
	for _, r := range rules.All() {
		for _, id := range r.Proves {
			proved[id] = append(proved[id], r.ID)
		}
	}
	for id, proves := range clients.Proved() {
		proved[proves] = append(proved[proves], id)
	}
	return proved
}
