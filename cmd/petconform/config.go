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
		return fmt.Errorf("--config %s: a map of flags to values is wanted: %w", name, err)
	}
	return kong.Resolvers(file).Apply(parser)
}

// configName finds --config before kong reads the rest, since the file decides what the rest defaults to.
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

// Validate refuses a name that is no flag of any command: a misspelt one would be ignored otherwise.
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
			return fmt.Errorf("--config %s: a key does not belong into a file of flags; name its file with key-file", f.name)
		}
	}
	return nil
}

// Resolve gives the file's value of a flag that the environment does not set.
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
