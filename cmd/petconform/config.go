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
)

// settingsFile is the file of settings, which is read if it is in the working directory.
const settingsFile = "petconform.yaml"

// settable are the flags that a file may set: where the service is and where the report goes, bounds, and what a run
// asks beyond the usual. A new flag is not settable until it is listed here.
var settable = strings.Fields("target ca-cert wait-ready category-id environment out verbose max-creates " +
	"strict explore p99 need load-anyway listen log deviate")

// settings are the flags that a file of settings sets: a resolver of kong, which asks it for each flag that the command
// line does not set. kong-yaml does not do: it names no line, ignores unknown names, lets a file win over the
// environment, and wants the command's name before each flag.
type settings map[string]setting

// setting is the value of a flag as on the command line. place is like petconform.yaml:7.
type setting struct{ place, value string }

// BeforeResolve reads petconform.yaml, if it is there.
func (c *commands) BeforeResolve(ctx *kong.Context, file settings) error {
	data, err := readFile("the file of settings", settingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	ctx.AddResolver(kong.ResolverFunc(file.Resolve))
	return file.read(data)
}

// read reads flags, one a line: "max-creates: 20".
func (s settings) read(data []byte) error {
	var flags map[string]yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&flags); err != nil && !errors.Is(err, io.EOF) {
		return usage("%s: %s; use lines like max-creates: 20", settingsFile, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if !errors.Is(decoder.Decode(&yaml.Node{}), io.EOF) {
		return usage("%s: the file has a second YAML document; use one", settingsFile)
	}
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		node := flags[flag]
		place := fmt.Sprintf("%s:%d", settingsFile, node.Line)
		switch {
		case !slices.Contains(settable, flag):
			return usage("%s: a file cannot set %q: a secret does not belong in it, and it must not turn a red result green; it may set %s",
				place, flag, strings.Join(settable, ", "))
		case node.Kind != yaml.ScalarNode || node.Tag == "!!null" || node.Value == "":
			return usage("%s: %s needs one value, or several with commas between them, like load,comparison", place, flag)
		}
		s[flag] = setting{place, node.Value}
	}
	return nil
}

// Resolve gives kong the file's value of a flag, unless the environment sets the flag.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	inEnvironment := func(name string) bool { _, set := os.LookupEnv(name); return set }
	if set, has := s[flag.Name]; has && !slices.ContainsFunc(flag.Envs, inEnvironment) {
		return set.value, nil
	}
	return nil, nil
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
