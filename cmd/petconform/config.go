package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"petconform/spec/bounded"
)

// settingsFile is the file of settings that is read if it is in the working directory and no other is named.
const settingsFile = "petconform.yaml"

// settable are the flags that a file may set: where the service is and where the report goes, bounds, and what a run
// asks beyond the usual. A new flag is not settable until it is listed here.
var settable = strings.Fields("target ca-cert wait-ready category-id environment out verbose max-creates max-requests " +
	"strict explore p99 need load-anyway listen log deviate")

// secretFlags hold a secret, or name a file that has one.
var secretFlags = strings.Fields("key key-file keys header cert cert-key")

// settings are the flags that a file of settings sets: a resolver of kong, which asks it for each flag that the command
// line does not set. kong-yaml does not do: it names no line, ignores unknown names, lets a file win over the
// environment, and wants the command's name before each flag.
type settings map[string]setting

type setting struct {
	// place is like petconform.yaml:7.
	place string
	// value is a string, or a list of strings.
	value any
}

// BeforeResolve reads the file that --config names, or petconform.yaml.
func (c *commands) BeforeResolve(ctx *kong.Context, file settings) error {
	name, named := settingsFile, false
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == "config" {
			name, named = fmt.Sprint(ctx.Value(p)), true
		}
	}
	data, err := bounded.ReadFile(name, bounded.Small) // kong.ConfigFlag waits for a pipe, and reads a device without end
	if !named && errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return usage("--config: %w", err)
	}
	if err := file.read(name, data, ctx.Model); err != nil {
		return usage("%w", err)
	}
	ctx.AddResolver(file)
	return nil
}

// read reads a file of flags, one a line: "max-creates: 20". A flag that takes several values may have a list.
func (s settings) read(name string, data []byte, app *kong.Application) error {
	var flags map[string]yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&flags); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %s; use lines like max-creates: 20", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if !errors.Is(decoder.Decode(&yaml.Node{}), io.EOF) {
		return fmt.Errorf("%s: the file has a second YAML document; use one", name)
	}
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		node := flags[flag]
		place := fmt.Sprintf("%s:%d", name, node.Line)
		if err := refusal(flag, app); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		value, err := valueIn(&node)
		if err != nil {
			return fmt.Errorf("%s: %s %w", place, flag, err)
		}
		s[flag] = setting{place, value}
	}
	return nil
}

// refusal is an error for a name that no flag has, or for a flag that a file may not set.
func refusal(name string, app *kong.Application) error {
	switch {
	case slices.Contains(settable, name):
		return nil
	case slices.Contains(secretFlags, name):
		return fmt.Errorf("%s cannot be set in a file: a secret does not belong in a file of settings; use the environment or --%[1]s", name)
	case hasFlag(app.Node, name):
		return fmt.Errorf("%s cannot be set in a file: a file that lies in a folder must not turn a red result green; use --%[1]s", name)
	}
	return fmt.Errorf("there is no flag %q; a file may set %s", name, strings.Join(settable, ", "))
}

func hasFlag(node *kong.Node, name string) bool {
	return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == name }) ||
		slices.ContainsFunc(node.Children, func(child *kong.Node) bool { return hasFlag(child, name) })
}

// valueIn returns a value as kong takes it: a string, or a list of strings.
func valueIn(n *yaml.Node) (any, error) {
	values, all := []*yaml.Node{n}, []any{}
	if n.Kind == yaml.SequenceNode {
		values = n.Content
	}
	for _, v := range values {
		if v.Kind != yaml.ScalarNode || v.Tag == "!!null" || v.Value == "" {
			return nil, errors.New("needs a value or a list of values: not a map, an alias or nothing")
		}
		all = append(all, v.Value)
	}
	if n.Kind != yaml.SequenceNode {
		return all[0], nil
	}
	return all, nil
}

// Validate does nothing: the file was checked when it was read.
func (s settings) Validate(*kong.Application) error { return nil }

// Resolve gives kong the file's value of a flag, unless the environment sets the flag.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	inEnvironment := func(name string) bool { _, set := os.LookupEnv(name); return set }
	if slices.ContainsFunc(flag.Envs, inEnvironment) {
		return nil, nil
	}
	return s[flag.Name].value, nil
}

// flagNamed matches an error that begins with the flag that it is about.
var flagNamed = regexp.MustCompile(`^--([a-z0-9-]+)\b`)

// placed adds the place in the file to an error about a flag that the file sets.
func (s settings) placed(err error) error {
	if m := flagNamed.FindStringSubmatch(fmt.Sprint(err)); m != nil && s[m[1]].place != "" {
		return fmt.Errorf("%s: %w", s[m[1]].place, err)
	}
	return err
}
