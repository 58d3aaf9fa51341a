// Package settings reads petconform.yaml: defaults of flags, and named targets with settings of their own. A key of the file is the name
// of a flag without its dashes, or one of a few words for what a target has.
package settings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"petconform/spec"
)

// DefaultName is the file that is read if it is in the working directory and no other is named.
const DefaultName = "petconform.yaml"

// Setting is a value of the file. Its variables are not yet replaced.
type Setting struct {
	// Key is the key of the file, and Line its line.
	Key  string
	Line int
	// Values has one value, or those of a list.
	Values []string

	kind Kind
	file string
}

// Where names the place of the setting, like petconform.yaml:7.
func (s Setting) Where() string { return fmt.Sprintf("%s:%d", s.file, s.Line) }

// Expand returns the values with their variables replaced, of the type that the flag has.
func (s Setting) Expand(env Lookup) ([]string, error) {
	if s.kind.Raw { // the flag itself replaces the variables, since it knows them as secrets
		return s.Values, nil
	}
	var out []string
	for _, v := range s.Values {
		expanded, _, err := Expand(v, env)
		if err == nil {
			err = s.kind.check(s.Key, expanded)
		}
		if err != nil {
			return nil, s.wrong(err)
		}
		out = append(out, expanded)
	}
	return out, nil
}

func (s Setting) wrong(err error) error { return fmt.Errorf("%s: %w", s.Where(), err) }

// Target is a named target.
type Target struct {
	Name string
	// flags are settings by the name of their flag. keys are names of variables with keys, by the variable that has the key without a file.
	flags, keys map[string]Setting
}

// File is a file of settings.
type File struct {
	Name string
	// Common are the settings that hold for every target that has no other.
	common Target
	all    map[string]*Target
}

// Target returns the target with a name, or an error that names the nearest one.
func (f *File) Target(name string) (*Target, error) {
	if t := f.all[name]; t != nil {
		return t, nil
	}
	if len(f.all) == 0 {
		return nil, fmt.Errorf("%s has no targets, so %q is not one; add it under targets, or use an address like https://host/v1", f.Name, name)
	}
	return nil, fmt.Errorf("%s has no target %q; it has %s", f.Name, name, strings.Join(slices.Sorted(maps.Keys(f.all)), ", "))
}

// Setting returns the setting of a flag: that of a target, which may be nil, else the common one.
func (f *File) Setting(t *Target, flag string) (Setting, bool) {
	if t != nil {
		if s, ok := t.flags[flag]; ok {
			return s, true
		}
	}
	s, ok := f.common.flags[flag]
	return s, ok
}

// KeyVariable returns the name of the variable that has a key of a target, where the file names another than the usual one.
func (f *File) KeyVariable(t *Target, usual string) (Setting, bool) {
	if t != nil {
		if s, ok := t.keys[usual]; ok {
			return s, true
		}
	}
	s, ok := f.common.keys[usual]
	return s, ok
}

// SecretVariables returns the names of all variables in the file that hold secrets: keys, and values of headers.
func (f *File) SecretVariables() []string {
	var names []string
	for _, t := range append(slices.Collect(maps.Values(f.all)), &f.common) {
		for _, s := range t.keys {
			names = append(names, s.Values...)
		}
		for _, s := range t.flags {
			if s.kind.Raw {
				names = append(names, Variables(s.Values...)...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// OwnVariables returns an error for the first setting that names a variable other than PETCONFORM_…. A file that lies in the working
// directory may be anybody's, and could send any secret to any address.
func (f *File) OwnVariables() error {
	var first error
	line := math.MaxInt
	check := func(s Setting, names []string) {
		for _, name := range names {
			if !strings.HasPrefix(name, "PETCONFORM_") && s.Line < line {
				line, first = s.Line, s.wrong(fmt.Errorf("%s names the variable %s; a file that is found here may only name variables like PETCONFORM_…, so rename "+
					"the variable, or use --config %s if you trust the file", s.Key, name, f.Name))
			}
		}
	}
	for _, t := range append(slices.Collect(maps.Values(f.all)), &f.common) {
		for _, s := range t.keys {
			check(s, s.Values)
		}
		for _, s := range t.flags {
			check(s, Variables(s.Values...))
		}
	}
	return first
}

// nearest returns the known name that is nearest to a misspelt one.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int {
		return cmp.Or(cmp.Compare(spec.EditDistance(name, a), spec.EditDistance(name, b)), cmp.Compare(a, b))
	})
}
