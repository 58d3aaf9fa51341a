package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
)

// configCommand is petconform config.
type configCommand struct {
	Line []string `arg:"" optional:"" passthrough:"all" name:"command" help:"The command line whose settings to print, like: check staging --strict. Default: check."`
}

// Run prints every setting that a command line has, and where each comes from. No secret is among them.
func (c *configCommand) Run(std streams, file *configuration) error {
	line := c.Line
	if len(line) == 0 || !slices.Contains([]string{"check", "load", "signoff"}, line[0]) {
		line = append([]string{"check"}, line...)
	}
	var all commands
	parser, err := newParser(&all, std, file)
	if err != nil {
		return err
	}
	if file.file != nil {
		if err := kong.Resolvers(file).Apply(parser); err != nil {
			return err
		}
	}
	parsed, err := parser.Parse(line)
	if err != nil {
		return usage("%w", err)
	}
	if file.file != nil {
		fmt.Fprintf(std.out, "%s, with %s\n", "petconform "+strings.Join(line[:1], " "), file.file.Name)
	} else {
		fmt.Fprintf(std.out, "%s, without a %s\n", "petconform "+line[0], settings.DefaultName)
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	t := map[string]targetFlags{"check": all.Check.targetFlags, "load": all.Load.targetFlags, "signoff": all.Signoff.targetFlags}[line[0]]
	for _, flag := range parsed.Flags() {
		if !settable(flag.Name) {
			continue
		}
		value, from := file.effective(parsed, flag)
		if flag.Name == "target" && t.named != nil {
			value, from = t.Target, t.named.address.Where()
		} else if flag.Name == "target" && t.Address != "" {
			value, from = t.Target, "command line"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", flag.Name, value, from)
	}
	for _, k := range t.keysTold(line[0] != "check") {
		fmt.Fprintf(w, "%s\t%s\t%s\n", k[0], k[1], k[2])
	}
	return w.Flush()
}

// effective returns the value of a flag as text, and where it comes from.
func (c *configuration) effective(parsed *kong.Context, flag *kong.Flag) (value, from string) {
	value, from = fmt.Sprint(flag.Target.Interface()), "default"
	if words, many := flag.Target.Interface().([]string); many {
		value = strings.Join(words, ", ")
	}
	if flag.Name == "header" { // a value on the command line may be a secret, whatever its name
		names, _ := flag.Target.Interface().([]string)
		value = strings.Join(settings.HeadersTold(names), ", ")
	}
	for _, env := range flag.Envs {
		if _, set := os.LookupEnv(env); set {
			from = "variable " + env
		}
	}
	for _, p := range parsed.Path {
		if p.Flag != flag {
			continue
		}
		from = "command line"
		if p.Resolved {
			from = c.from[flag.Name].Where()
		}
	}
	if value == "" || flag.Target.IsZero() && kindOf(flag).Type == settings.Time {
		value = "-"
	}
	return value, from
}

// keysTold says for each key whether it is set, and in which variable or file.
func (f targetFlags) keysTold(load bool) [][3]string {
	usual := []string{"PETCONFORM_KEY"}
	if load {
		usual = append(usual, "PETCONFORM_KEY_FREE", "PETCONFORM_KEY_PRO", "PETCONFORM_KEY_BUSINESS", "PETCONFORM_KEY_ENTERPRISE",
			"PETCONFORM_KEY_OTHER", "PETCONFORM_KEY_BAN")
	}
	var all [][3]string
	for _, name := range usual {
		row := [3]string{strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "PETCONFORM_"), "_", "-")), "not set", "variable " + f.variable(name)}
		if os.Getenv(f.variable(name)) != "" {
			row[1] = "set"
		}
		if f.KeyFile != "" && name == "PETCONFORM_KEY" {
			row[1], row[2] = "set", "key-file"
		}
		if f.variable(name) != name {
			s, _ := f.named.file.KeyVariable(f.named.target, name)
			row[2] += ", " + s.Where()
		}
		all = append(all, row)
	}
	return all
}
