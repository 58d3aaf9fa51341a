package terminal

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
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

// Write aligns the cells. On a terminal it breaks a row that is wider at a space, and begins the rest below the second cell. Where
// the names leave too little room for that, all that follows a name stands below it, a little indented.
func (t *Table) Write(out io.Writer) error {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, betweenCells, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.rows, "\n"))
	if err := w.Flush(); err != nil {
		return err
	}
	width := Width(out)
	indent := strings.Repeat(" ", t.name+betweenCells)
	below := t.name+betweenCells > width/2
	if below {
		indent = "    "
	}
	for line := range strings.Lines(aligned.String()) {
		line = strings.TrimRight(line, " \n")
		if name, rest, more := strings.Cut(line, "  "); below && more && is(out) && utf8.RuneCountInString(line) > width {
			fmt.Fprintln(out, name)
			line = indent + strings.TrimLeft(rest, " ")
		}
		for is(out) && utf8.RuneCountInString(line) > width {
			at := strings.LastIndexByte(line[:min(len(line), width+1)], ' ')
			if at <= len(indent) {
				break
			}
			fmt.Fprintln(out, strings.TrimRight(line[:at], " "))
			line = indent + strings.TrimLeft(line[at+1:], " ")
		}
		fmt.Fprintln(out, line)
	}
	return nil
}
