package terminal

import (
	"fmt"
	"io"
)

// Table prints rows of a name and a text. On a terminal a text is wrapped beside its name, or below it where the names
// leave too little room.
func Table(out io.Writer, rows [][2]string) {
	longest := 0
	for _, r := range rows {
		longest = max(longest, len(r[0]))
	}
	for _, r := range rows {
		label := fmt.Sprintf("%-*s  ", longest, r[0])
		switch {
		case !is(out):
			fmt.Fprintln(out, label+r[1])
			continue
		case len(label) > Width(out)/2:
			fmt.Fprintln(out, r[0])
			label = "    "
		}
		Paragraph(out, label, r[1])
	}
}
