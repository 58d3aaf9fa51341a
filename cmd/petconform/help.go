package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/terminal"
)

// helpGroups are the headings of a command's help, with their flags in the order in which people need them. A flag that
// none of them has stands above, under otherFlags.
var helpGroups = []struct{ title, flags string }{
	{"Target", "target key-file wait-ready reference header resolve ca-cert cert cert-key"},
	{"What to check", "only skip read-only quick deep category-id as-of strict patience seed explore concurrency against"},
	{"Load", "plan minute day phase dry-run load-anyway per-minute per-day keys shard limits-not-expected provoke-ban"},
	{"Release gates", "waivers since p99 need accept-part build environment"},
	{"Output", "out verbose watch show"},
	{"Bounds", "max-creates max-requests max-wait timeout"},
	{"Everywhere", "config help help-all version"},
}

const otherFlags = "Flags"

// everyday are the flags that --help shows of check, load and signoff; --help-all shows the others too.
const everyday = " target key-file only skip read-only quick deep watch plan minute dry-run waivers since out help help-all "

// wide is the number of flags from which on --help shows only those of every day.
const wide = 25

type helpAll bool

// IgnoreDefault tells kong that the flag has no default.
func (*helpAll) IgnoreDefault() {}

// BeforeReset prints the help before other arguments are looked at, as --help does.
func (h *helpAll) BeforeReset(ctx *kong.Context) error {
	*h = true
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	ctx.Kong.Exit(0)
	return nil
}

// printHelp prints the help of a command, or of petconform. kong's own printer takes 80 columns for any writer but a
// file, and leaves seven of 40 to the words beside a flag.
func (c *commands) printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	w, node, usage := ctx.Stdout, ctx.Model.Node, ctx.Model.Name+ctx.Model.Summary()
	if selected := ctx.Selected(); selected != nil {
		node, usage = selected, ctx.Model.Name+" "+selected.Summary()
	}
	terminal.Paragraph(w, "Usage: ", usage)
	for paragraph := range strings.SplitSeq(node.Help, "\n\n") {
		fmt.Fprintln(w)
		terminal.Paragraph(w, "", paragraph)
	}
	printDetail(w, node.Detail)
	var arguments, commands [][2]string
	for _, a := range node.Positional {
		arguments = append(arguments, [2]string{a.Summary(), kong.DefaultHelpValueFormatter(a)})
	}
	printRows(w, "Arguments", arguments)
	for _, command := range node.Children {
		commands = append(commands, [2]string{command.Name, command.Help})
	}
	printRows(w, "Commands", commands)
	flags := slices.Concat(node.AllFlags(true)...)
	short := len(flags) >= wide && !bool(c.HelpAll)
	printRows(w, otherFlags, rowsOf(slices.DeleteFunc(slices.Clone(flags), grouped), short))
	for _, group := range helpGroups {
		var under []*kong.Flag
		for name := range strings.FieldsSeq(group.flags) {
			if i := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == name }); i >= 0 {
				under = append(under, flags[i])
			}
		}
		printRows(w, group.title, rowsOf(under, short))
	}
	switch {
	case len(commands) > 0:
		fmt.Fprintln(w, "\nOf a command: petconform COMMAND --help")
	case short:
		fmt.Fprintln(w)
		terminal.Paragraph(w, "", "Every flag: "+node.FullPath()+" --help-all")
	}
	return nil
}

// printDetail prints examples, one command line on each line of the text, or words of a command that is not ours.
func printDetail(w io.Writer, text string) {
	switch {
	case text == "":
		return
	case !strings.HasPrefix(text, "petconform "):
		fmt.Fprintln(w)
		terminal.Sentence(w, "%s", strings.TrimSpace(text))
		return
	}
	fmt.Fprint(w, "\nExamples:\n")
	for line := range strings.SplitSeq(text, "\n") {
		pieces := strings.Split(line, " --")
		for i := range pieces[1:] {
			pieces[i+1] = "--" + pieces[i+1]
		}
		terminal.Command(w, "  ", pieces...)
	}
}

// printRows prints names, and what each means beside it, or below it where the names take more than half of the width.
func printRows(w io.Writer, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	longest := 0
	for _, r := range rows {
		longest = max(longest, len(r[0]))
	}
	for _, r := range rows {
		label := fmt.Sprintf("  %-*s  ", longest, r[0])
		if len(label) > terminal.Width(w)/2 {
			fmt.Fprintf(w, "  %s\n", r[0])
			label = "      "
		}
		terminal.Paragraph(w, label, r[1])
	}
}

// grouped reports whether a flag has a place in helpGroups.
func grouped(f *kong.Flag) bool {
	for _, group := range helpGroups {
		if slices.Contains(strings.Fields(group.flags), f.Name) {
			return true
		}
	}
	return false
}

// rowsOf returns the rows of flags: of all, or of those of every day.
func rowsOf(flags []*kong.Flag, short bool) (rows [][2]string) {
	for _, f := range flags {
		name := f.Summary()
		if f.Short != 0 {
			name = "-" + string(f.Short) + ", " + name
		}
		if !f.Hidden && !(short && !strings.Contains(everyday, " "+f.Name+" ")) {
			rows = append(rows, [2]string{name, kong.DefaultHelpValueFormatter(f.Value)})
		}
	}
	return rows
}

// Help returns the examples of check for its help.
func (checkCommand) Help() string {
	return "petconform check --target http://localhost:8080/v1 --watch\n" +
		"petconform check staging --waivers waivers.yaml --since last-release"
}

func (loadCommand) Help() string {
	return "petconform load --target http://localhost:8080/v1 --plan Free --dry-run\n" +
		"petconform load staging --plan Free --plan Pro"
}

func (signoffCommand) Help() string {
	return "petconform signoff --reference\n" +
		"petconform signoff staging --plan Free --since last-release --waivers waivers.yaml"
}
