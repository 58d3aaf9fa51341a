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

func (t *Table) Row(cells ...string) {
	t.rows, t.name = append(t.rows, strings.Join(cells, "\t")), max(t.name, len(cells[0]))
}

const betweenCells = 2

// Write aligns the cells. On a terminal it breaks a row that is wider, and begins the rest below the second cell. Where
// the names leave too little room for that, all that follows a name stands below it, a little indented.
func (t *Table) Write(out io.Writer) error {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, betweenCells, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.rows, "\n"))
	if err := w.Flush(); err != nil {
		return err
	}
	first, width := t.name+betweenCells, Width(out)
	for line := range strings.Lines(aligned.String()) {
		line = strings.TrimRight(line, " \n")
		if !is(out) || utf8.RuneCountInString(line) <= width {
			fmt.Fprintln(out, line)
			continue
		}
		label, rest := line[:first], line[first:]
		if first > width/2 {
			fmt.Fprintln(out, strings.TrimRight(label, " "))
			label = "    "
		}
		Paragraph(out, label, rest)
	}
	return nil
}
