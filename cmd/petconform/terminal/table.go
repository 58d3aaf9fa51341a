package terminal

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"petconform/reports"
)

// Table is rows of cells, the first of which is a name.
type Table struct {
	rows []string
	name int // the width of the longest name
}

// Row adds a row.
func (t *Table) Row(cells ...string) {
	t.rows, t.name = append(t.rows, strings.Join(cells, "\t")), max(t.name, len(cells[0]))
}

const betweenCells = 2

// Write aligns the cells. On a terminal it breaks a row that is wider than reports.Columns at a space, and begins the
// rest below the second cell.
func (t *Table) Write(out io.Writer) error {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, betweenCells, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.rows, "\n"))
	if err := w.Flush(); err != nil {
		return err
	}
	indent := strings.Repeat(" ", t.name+betweenCells)
	for line := range strings.Lines(aligned.String()) {
		line = strings.TrimRight(line, " \n")
		for is(out) && len(line) > reports.Columns {
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
