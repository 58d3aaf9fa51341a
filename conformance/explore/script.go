package explore

import (
	"fmt"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/shell"
)

// script writes a card as a POSIX shell script with one curl for each request. An id comes from the new answer. The script
// reads the API key from PETCONFORM_KEY.
func script(m exchange.Meta, c Card) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# %s\n", oneLine(c.title()))
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "# %s: expected %s; actual %s\n", f.Requirement, oneLine(f.Expected), oneLine(f.Actual))
	}
	if key := shell.Key(m.Flags); key != "" {
		b.WriteString(key + "\n")
	}
	b.WriteString(": \"${PETCONFORM_KEY:?the API key of the target}\"\n")
	fmt.Fprintf(&b, "target=${PETCONFORM_TARGET:-%s}\n", shell.Word(m.Target))
	b.WriteString("id_in() { printf '%s' \"$1\" | sed -n 's/.*\"id\": *\\(-\\{0,1\\}[0-9][0-9]*\\).*/\\1/p' | head -n 1; }\n")
	ids := map[string]string{}
	for _, x := range c.Exchanges {
		fmt.Fprintf(&b, "answer=$(%s)\nprintf '%%s\\n' \"$answer\"\n", curl(m.Flags, x, ids))
		if p, ok := x.Pet(); ok && x.Operation == spec.CreatePet && p.ID != "" {
			variable := fmt.Sprintf("id%d", len(ids)+1)
			fmt.Fprintf(&b, "%s=$(id_in \"$answer\")\n", variable)
			ids[p.ID] = "$" + variable
		}
	}
	return b.String()
}

func curl(flags []exchange.Flag, x history.Exchange, ids map[string]string) string {
	path := shell.Word(x.Request.Path)
	if variable, ours := ids[x.PetID()]; ours && x.Operation == spec.GetPet {
		path = `"/pets/` + variable + `"`
	}
	return strings.Join(shell.Curl(flags, x.Exchange, `"$target"`+path), " ")
}
