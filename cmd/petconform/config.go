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
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
	"petconform/spec/bounded"
)

// configuration is the file of settings, if there is one. It sets the flags that neither the command line nor the environment
// sets.
type configuration struct {
	file *settings.File
	// named says that --config names the file.
	named bool
	// from has the setting that each flag took.
	from map[string]settings.Setting
}

// configure reads the file that --config names, or petconform.yaml, and makes it a source of the parser's flags.
func (c *configuration) configure(parser *kong.Kong, args []string) error {
	name, named := configName(args)
	if !named {
		name = settings.DefaultName
	}
	data, err := bounded.ReadFile(name, bounded.Small)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	if c.file, err = settings.Parse(name, data, kinds(parser.Model), known.all()...); err != nil {
		return err
	}
	if c.named = named; !named {
		if err := c.file.OwnVariables(); err != nil {
			return err
		}
	}
	known.variables(c.file.SecretVariables()...)
	return kong.Resolvers(c).Apply(parser)
}

// configName finds --config before kong parses the arguments, since the file gives the defaults of the other flags.
func configName(args []string) (string, bool) {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--config="); ok {
			return v, true
		}
		if a == "--config" && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// kinds returns what each flag of any command takes, except those that a file cannot set.
func kinds(app *kong.Application) map[string]settings.Kind {
	all := map[string]settings.Kind{}
	for _, command := range app.Leaves(false) {
		for _, flag := range command.Flags {
			if settable(flag.Name) {
				all[flag.Name] = kindOf(flag)
			}
		}
	}
	return all
}

// settable reports whether a file may set a flag.
func settable(flag string) bool {
	return !slices.Contains([]string{"help", "config", "version", "show", "watch", "dry-run", "require", "unsigned"}, flag)
}

func kindOf(flag *kong.Flag) settings.Kind {
	k := settings.Kind{Type: settings.Text, Raw: flag.Name == "header"}
	t := flag.Target.Type()
	if k.Many = t.Kind() == reflect.Slice; k.Many {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Duration](), t == reflect.TypeFor[span]():
		k.Type = settings.Time
	case t.Kind() == reflect.Bool:
		k.Type = settings.Switch
	case t.Kind() != reflect.String:
		k.Type = settings.Whole
	case flag.Enum != "":
		k.Words = flag.EnumSlice()
	}
	return k
}

// Validate does nothing: the file was checked when it was read.
func (c *configuration) Validate(*kong.Application) error { return nil }

// Resolve returns the file's value of a flag, unless the environment sets the flag.
func (c *configuration) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, set := os.LookupEnv(env); set {
			return nil, nil
		}
	}
	named, given := c.targetOf(ctx)
	if flag.Name == "target" && given {
		return nil, nil
	}
	var t *settings.Target
	if isName(named) {
		t, _ = c.file.Target(named) // AfterApply refuses a name that the file does not have
	}
	if flag.Name == "target" {
		t = nil // its address comes with its name
	}
	s, ok := c.file.Setting(t, flag.Name)
	if !ok {
		return nil, nil
	}
	values, err := s.Expand(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	c.from[flag.Name] = s
	if flag.IsSlice() {
		all := make([]any, len(values))
		for i, v := range values {
			all[i] = v
		}
		return all, nil
	}
	return strings.Join(values, ","), nil
}

// targetOf returns the target that the command line names, or else the environment or the file; given is true if the command line
// names it.
func (c *configuration) targetOf(ctx *kong.Context) (name string, given bool) {
	for _, p := range ctx.Path {
		if p.Resolved {
			continue
		}
		if p.Positional != nil && p.Positional.Name == "url" || p.Flag != nil && p.Flag.Name == "target" {
			name, given = fmt.Sprint(ctx.Value(p)), true
		}
	}
	if given {
		return name, true
	}
	if name, set := os.LookupEnv(targetVariable); set {
		return name, false
	}
	if s, ok := c.file.Setting(nil, "target"); ok && len(s.Values) == 1 {
		return s.Values[0], false
	}
	return "", false
}

// set reports whether a flag took its value from the file.
func (c *configuration) set(flag string) bool {
	_, ok := c.from[flag]
	return ok
}

// flagNamed matches an error that begins with the flag that it is about.
var flagNamed = regexp.MustCompile(`^--([a-z0-9-]+)\b`)

// placed adds the place in the file to an error about a flag that the file sets.
func (c *configuration) placed(err error) error {
	if err == nil {
		return nil
	}
	m := flagNamed.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	s, ok := c.from[m[1]]
	if !ok {
		return err
	}
	placed := fmt.Errorf("%s: %w", s.Where(), err)
	var f failed
	if errors.As(err, &f) {
		return failed{f.code, placed}
	}
	return placed
}

// isName reports whether a target is the name of a target in the file, not an address.
func isName(target string) bool { return target != "" && nameOfTarget.MatchString(target) }

var nameOfTarget = regexp.MustCompile(`^[^/:. ]+$`)

// target returns the named target of the file.
func (c *configuration) target(name string) (*settings.Target, error) {
	if c.file == nil {
		return nil, fmt.Errorf("the target %q is not an address like https://host/v1, and there is no %s that could have a target of this name", name, settings.DefaultName)
	}
	return c.file.Target(name)
}
