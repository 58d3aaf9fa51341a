package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// configure makes the file that --config names the source of flags that neither the command line nor the environment sets.
func configure(parser *kong.Kong, args []string) error {
	name, ok := configName(args)
	if !ok {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	file := fileOfFlags{name: name}
	if err := yaml.Unmarshal(data, &file.values); err != nil {
		return fmt.Errorf("--config %s: not a YAML map of flags to values: %w", name, err)
	}
	return kong.Resolvers(file).Apply(parser)
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

type fileOfFlags struct {
	name   string
	values map[string]any
}

// Validate refuses a name that is not a flag of any command. Without it a misspelt flag would be ignored.
func (f fileOfFlags) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, group := range app.AllFlags(false) {
		for _, flag := range group {
			known[flag.Name] = true
		}
	}
	for _, command := range app.Leaves(false) {
		for _, flag := range command.Flags {
			known[flag.Name] = true
		}
	}
	for name := range f.values {
		if !known[name] {
			return fmt.Errorf("--config %s: %q is not a flag of any command", f.name, name)
		}
		if name == "key" {
			return fmt.Errorf("--config %s: a key must not be in a file of flags; put it into a file of its own and name that with key-file", f.name)
		}
	}
	return nil
}

// Resolve returns the file's value of a flag, unless the environment sets the flag.
func (f fileOfFlags) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, set := os.LookupEnv(env); set {
			return nil, nil
		}
	}
	switch v := f.values[flag.Name].(type) {
	case nil:
		return nil, nil
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = fmt.Sprint(w)
		}
		return strings.Join(slices.Clip(words), ","), nil
	default:
		return fmt.Sprint(v), nil
	}
}
