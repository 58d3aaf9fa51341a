package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
	"petconform/cmd/petconform/terminal"
	"petconform/spec/bounded"
)

// BeforeResolve reads the file that --config names, or petconform.yaml. kong takes from it the flags that the command
// line does not set. The command config reads it for the command line that it is about.
func (c *commands) BeforeResolve(ctx *kong.Context, file *settings.File) error {
	if selected := ctx.Selected(); selected != nil && selected.Name == "config" {
		return nil
	}
	name, given := settings.DefaultName, false
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == "config" {
			name, given = fmt.Sprint(ctx.Value(p)), true
		}
	}
	data, err := bounded.ReadFile(name, bounded.Small) // kong's own loading waits for a pipe, and reads a device without end
	if !given && errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return usage("--config: %w", err)
	}
	read, err := settings.Parse(name, data, ctx.Model, known.all()...)
	if err == nil && !given {
		err = read.OwnVariables()
	}
	if err != nil {
		return usage("%w", err)
	}
	*file, file.Given = *read, given
	known.variables = append(known.variables, file.SecretVariables()...)
	ctx.AddResolver(file)
	return nil
}

// flagNamed matches an error that begins with the flag that it is about.
var flagNamed = regexp.MustCompile(`^--([a-z0-9-]+)\b`)

// placed adds the place in the file to an error about a flag that the file sets.
func placed(file *settings.File, err error) error {
	if m := flagNamed.FindStringSubmatch(fmt.Sprint(err)); m != nil && file.From[m[1]].Where != "" {
		return fmt.Errorf("%s: %w", file.From[m[1]].Where, err)
	}
	return err
}

type configCommand struct {
	All  bool     `help:"Print the defaults and the keys that are not set, too."`
	Line []string `arg:"" optional:"" passthrough:"all" name:"command" help:"The command line whose settings to print, like: check staging --strict. Default: check."`
}

// Run prints the settings of a command line that are no defaults, and where each comes from. No secret is among them.
func (c *configCommand) Run(std streams, root *commands) error {
	isAll := func(word string) bool { return word == "--all" } // behind the command it is a word of the command line
	c.All = c.All || slices.ContainsFunc(c.Line, isAll)
	line := slices.DeleteFunc(slices.Clone(c.Line), isAll)
	if len(line) == 0 || !slices.Contains([]string{"check", "load", "signoff"}, line[0]) {
		line = append([]string{"check"}, line...)
	}
	if root.Config != "" {
		line = append(line, "--config="+root.Config)
	}
	var all commands
	file := &settings.File{}
	parser, err := newParser(&all, std, file)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(line)
	std = std.safe() // the file may have named further secrets
	if err != nil {
		return usage("%w", placed(file, err))
	}
	with := "without a " + settings.DefaultName
	if file.Name != "" {
		with = "with " + file.Name
	}
	terminal.Sentence(std.out, "petconform %s, %s", line[0], with)
	var set terminal.Table
	t := map[string]targetFlags{"check": all.Check.targetFlags, "load": all.Load.targetFlags, "signoff": all.Signoff.targetFlags}[line[0]]
	for _, flag := range parsed.Flags() {
		if settings.Settable(flag.Name) {
			value, from := effective(file, parsed, flag)
			if flag.Name == "target" && t.named != nil {
				value, from = t.Target, t.address().Where
			} else if flag.Name == "target" && t.Address != "" {
				value, from = t.Target, "command line"
			}
			if c.All || from != defaultValue {
				set.Row(flag.Name, value, from)
			}
		}
	}
	t.addKeys(&set, line[0] != "check", c.All)
	return set.Write(std.out)
}

// defaultValue is where a setting comes from that nobody set.
const defaultValue = "default"

// effective returns the value of a flag as text, and where it comes from.
func effective(file *settings.File, parsed *kong.Context, flag *kong.Flag) (value, from string) {
	from = defaultValue
	if v := reflect.Indirect(flag.Target); v.IsValid() {
		value = fmt.Sprint(v.Interface())
	}
	if words, many := flag.Target.Interface().([]string); many {
		value = strings.Join(words, ", ")
		if flag.Name == "header" { // a value on the command line may be a secret, whatever its name
			value = strings.Join(settings.HeadersToPrint(words), ", ")
		}
	}
	if value == "" || value == "0s" {
		value = "-"
	}
	for _, env := range flag.Envs {
		if _, set := os.LookupEnv(env); set {
			from = "variable " + env
		}
	}
	for _, p := range parsed.Path {
		if p.Flag == flag && p.Resolved {
			from = file.From[flag.Name].Where
		} else if p.Flag == flag {
			from = "command line"
		}
	}
	return value, from
}

// addKeys adds a row for PETCONFORM_KEY and for each other key that is set, or for all: whether it is set, and in which
// variable or file.
func (f targetFlags) addKeys(table *terminal.Table, load, all bool) {
	usual := append(slices.Clone(servedKeys), servedKey{variable: banKeyVariable})
	if !load {
		usual = usual[:1]
	}
	for _, k := range usual {
		name, variable := k.variable, f.variable(k.variable)
		set, from := os.Getenv(variable) != "", "variable "+variable
		if f.KeyFile != "" && name == keyVariable {
			set, from = true, "key-file"
		}
		if !set && name != keyVariable && !all {
			continue
		}
		if f.named != nil {
			if s, ok := f.named.Setting(name); ok {
				from += ", " + s.Where
			}
		}
		key := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "PETCONFORM_"), "_", "-"))
		table.Row(key, map[bool]string{true: "set", false: "not set"}[set], from)
	}
}

type initCommand struct {
	File string `arg:"" optional:"" help:"File to write. Default: petconform.yaml." default:"petconform.yaml"`
}

// Run writes a commented file of settings, and never over another file.
func (c *initCommand) Run(std streams) (err error) {
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage("%s exists; edit it, or name another file", c.File)
	} else if err != nil {
		return usage("%w", err)
	}
	if _, err = f.Write(settings.Example); errors.Join(err, f.Close()) != nil {
		return usage("%s could not be written: %w", c.File, err)
	}
	terminal.Sentence(std.out, "%s is written. Set the address of staging, put its key into PETCONFORM_KEY_STAGING, and run: petconform check staging", c.File)
	return nil
}
