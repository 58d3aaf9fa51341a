package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" help:"Your shell: bash, zsh or fish." enum:"bash,zsh,fish"`
}

// scripts make each shell run petconform with COMP_LINE, which has what was typed so far. Where petconform offers
// nothing, the shell offers files.
var scripts = map[string]string{
	"bash": "complete -o default -C petconform petconform\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -C petconform petconform\n",
	"fish": `function __petconform
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    petconform
end
complete -c petconform -a "(__petconform)"
`,
}

// Run prints the script of a shell.
func (c *completionCommand) Run(a *app) error {
	_, err := io.WriteString(a.out, scripts[c.Shell])
	return err
}

// completes answers a shell that asks for completions, and reports whether one asked: it sets COMP_LINE, and passes no
// arguments, or the three of bash: the command as typed, the word, and the word before it. Any other command line is
// executed: otherwise it would exit with 0 because the variable happens to be set.
func completes(out io.Writer, app *kong.Application, args []string) bool {
	words := strings.FieldsFunc(os.Getenv("COMP_LINE")+"\n", func(r rune) bool { return r == ' ' || r == '=' })
	last := strings.TrimSuffix(words[len(words)-1], "\n")
	if words = words[:len(words)-1]; len(words) == 0 || len(args) > 0 && (len(args) != 3 || args[0] != words[0]) {
		return false
	}
	var value *kong.Value // what the last word is of; nil for a command or a flag
	node := app.Node
	for _, word := range words {
		if i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word }); i >= 0 {
			node = node.Children[i]
		}
		value = nil
		for _, flag := range slices.Concat(node.AllFlags(true)...) {
			if "--"+flag.Name == word && !flag.IsBool() {
				value = flag.Value
			}
		}
	}
	if value == nil && len(node.Positional) > 0 && !strings.HasPrefix(last, "-") {
		value = node.Positional[0]
	}
	for _, offer := range offers(node, value) {
		if offer != "" && strings.HasPrefix(offer, last) {
			fmt.Fprintln(out, offer)
		}
	}
	return true
}

// offers returns the values of a flag or an argument, by its enum or by the lists that its tag ids names, or else the
// commands and flags of a node.
func offers(node *kong.Node, value *kong.Value) (all []string) {
	if value != nil && value.Tag.Has("ids") {
		return idsIn(strings.Fields(value.Tag.Get("ids"))...)
	} else if value != nil {
		return value.EnumSlice()
	}
	for _, command := range node.Children {
		all = append(all, command.Name)
	}
	for _, flag := range slices.Concat(node.AllFlags(true)...) {
		all = append(all, "--"+flag.Name)
	}
	return all
}
