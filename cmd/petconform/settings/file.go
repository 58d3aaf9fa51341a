// Package settings reads petconform.yaml: defaults of flags, and named targets with settings of their own. A key of the
// file is the name of a flag without its dashes, or one of a few words for what a target has.
//
// A File is a resolver of kong, which asks it for the flags that the command line does not set. kong's own loader of
// YAML, kong-yaml, does not do: it names no line, ignores unknown keys, lets a file win over the environment, and wants
// the command's name before each key.
package settings

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const (
	// DefaultName is the file that is read if it is in the working directory and no other is named.
	DefaultName = "petconform.yaml"
	// TargetVariable is the environment variable that names the target.
	TargetVariable = "PETCONFORM_TARGET"
)

// Setting is a value of the file. Its variables are not yet replaced.
type Setting struct {
	// Key is the key of the file, and Where its place, like petconform.yaml:7.
	Key, Where string
	// Values has one value, or those of a list. The setting of a key has the name of the variable with the key.
	Values []string

	line int
	// flag is nil for a key.
	flag *kong.Flag
}

// isHeader reports whether the setting is of --header, which replaces the variables itself, since it knows them as
// secrets.
func (s Setting) isHeader() bool { return s.flag != nil && s.flag.Name == "header" }

// Expand returns the values with their variables replaced, as the flag takes them.
func (s Setting) Expand(env Lookup) ([]string, error) {
	if s.isHeader() {
		return s.Values, nil
	}
	var out []string
	for _, v := range s.Values {
		expanded, _, err := Expand(v, env)
		if err == nil {
			err = check(s.flag, expanded)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Where, err)
		}
		out = append(out, expanded)
	}
	return out, nil
}

// variables are the names of the environment variables that the setting needs.
func (s Setting) variables() []string {
	if s.flag == nil {
		return s.Values
	}
	return Variables(s.Values...)
}

type Target struct {
	Name string
	// own are its settings by the name of their flag and, with the names of variables that have keys, by the variable
	// that has the key without a file. common are those of every target that has no other.
	own, common map[string]Setting
}

// Setting returns what the target, or else the file for all targets, sets for a flag or for the variable of a key.
func (t *Target) Setting(name string) (Setting, bool) {
	s, ok := t.own[name]
	if !ok {
		s, ok = t.common[name]
	}
	return s, ok
}

// IsName reports whether a target is the name of one in the file, not an address.
func IsName(target string) bool { return target != "" && !strings.ContainsAny(target, "/:. ") }

// Resolve gives kong the target's value of a flag.
func (t *Target) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	s, ok := t.Setting(flag.Name)
	if !ok {
		return nil, nil
	}
	values, err := s.Expand(os.LookupEnv)
	if err != nil || !flag.IsSlice() {
		return strings.Join(values, ","), err
	}
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all, nil
}

// Validate does nothing: the file was checked when it was read.
func (t *Target) Validate(*kong.Application) error { return nil }

// File is a file of settings. The zero File, without a name, sets nothing.
type File struct {
	Name string
	// Given says that --config names the file.
	Given bool
	// From has the setting that each flag took.
	From map[string]Setting

	// Target has the settings for all targets.
	Target
	targets map[string]*Target
	// all are all settings in the order of the file.
	all []Setting
}

// Named returns the target with a name, or an error that says which names there are.
func (f *File) Named(name string) (*Target, error) {
	switch t := f.targets[name]; {
	case t != nil:
		return t, nil
	case f.Name == "":
		return nil, fmt.Errorf("the target %q is not an address like https://host/v1, and there is no %s that could have a target of this name",
			name, DefaultName)
	case len(f.targets) == 0:
		return nil, fmt.Errorf("%s has no targets, so %q is not one; add it under targets, or use an address like https://host/v1", f.Name, name)
	}
	return nil, fmt.Errorf("%s has no target %q; it has %s", f.Name, name, strings.Join(slices.Sorted(maps.Keys(f.targets)), ", "))
}

// Resolve gives kong the file's value of a flag, unless the environment sets the flag.
func (f *File) Resolve(ctx *kong.Context, path *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, func(name string) bool { _, set := os.LookupEnv(name); return set }) {
		return nil, nil
	}
	from := &f.Target
	if name, given := f.targetOf(ctx); flag.Name != "target" {
		if t := f.targets[name]; t != nil { // the command refuses a name that the file does not have
			from = t
		}
	} else if given { // its address comes with its name
		return nil, nil
	}
	if s, ok := from.Setting(flag.Name); ok {
		f.From[flag.Name] = s
	}
	return from.Resolve(ctx, path, flag)
}

// targetOf returns the target that the command line names, or else the environment or the file; given is true if the
// command line names it.
func (f *File) targetOf(ctx *kong.Context) (name string, given bool) {
	for _, p := range ctx.Path {
		if !p.Resolved && (p.Positional != nil && p.Positional.Name == "url" || p.Flag != nil && p.Flag.Name == "target") {
			name, given = fmt.Sprint(ctx.Value(p)), true
		}
	}
	if env, set := os.LookupEnv(TargetVariable); set && !given {
		return env, false
	}
	if s, ok := f.Setting("target"); ok && !given {
		return s.Values[0], false
	}
	return name, given
}

// SecretVariables returns the names of all variables in the file that hold secrets: keys, and values of headers.
func (f *File) SecretVariables() []string {
	var names []string
	for _, s := range f.all {
		if s.flag == nil || s.isHeader() {
			names = append(names, s.variables()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// OwnVariables returns an error for the first setting that names a variable other than PETCONFORM_…, or a file of keys.
// A file that lies in the working directory may be anybody's, and could send any secret to any address.
func (f *File) OwnVariables() error {
	for _, s := range f.all {
		if s.Key == "key-file" || s.Key == "keys" {
			return fmt.Errorf("%s: %s names a file of keys; a file that is found here may not, so use the flag --%[2]s, or "+
				"--config %[3]s if you trust the file", s.Where, s.Key, f.Name)
		}
		for _, name := range s.variables() {
			if !strings.HasPrefix(name, "PETCONFORM_") {
				return fmt.Errorf("%s: %s names the variable %s; a file that is found here may only name variables like PETCONFORM_…, so rename "+
					"the variable, or use --config %s if you trust the file", s.Where, s.Key, name, f.Name)
			}
		}
	}
	return nil
}
