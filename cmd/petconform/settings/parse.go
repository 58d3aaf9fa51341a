package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// words are keys of the file that stand for a flag of another name.
var words = map[string]string{"address": "target", "category": "category-id", "headers": "header", "plans": "plan"}

// keyWords are keys of the file that name the variable of a key, with the variable that has it without a file.
var keyWords = map[string]string{"key": "PETCONFORM_KEY", "other-key": "PETCONFORM_KEY_OTHER", "ban-key": "PETCONFORM_KEY_BAN"}

// gates are the flags that may stand under the key gates.
var gates = []string{"p99", "need"}

type parser struct {
	file  *File
	flags map[string]Kind
}

// Parse reads a file. flags are those that it may set. A file that has one of the secrets is refused.
func Parse(name string, data []byte, flags map[string]Kind, secrets ...exchange.Secret) (*File, error) {
	p := parser{&File{Name: name, common: newTarget(""), all: map[string]*Target{}}, flags}
	for i, line := range bytes.Split(data, []byte("\n")) {
		for _, s := range secrets {
			if !s.IsZero() && bytes.Contains(line, []byte(s.Reveal())) && len(s.Reveal()) >= shortestSecret {
				return nil, p.wrong(i+1, "the file contains an API key; keep it in a variable, and name the variable with key: NAME_OF_VARIABLE")
			}
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return p.file, nil
	case err != nil:
		return nil, p.notYAML(data, err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file has more than one YAML document", name)
	}
	return p.file, p.top(doc.Content[0])
}

// shortestSecret is the length in bytes from which on a key is looked for in the file. A shorter one may be a part of a word.
const shortestSecret = 8

func newTarget(name string) Target {
	return Target{Name: name, flags: map[string]Setting{}, keys: map[string]Setting{}}
}

func (p parser) wrong(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", p.file.Name, line, fmt.Errorf(format, args...))
}

// notYAML returns the error of the YAML parser with its line, if the parser names one: "yaml: line 2: …".
func (p parser) notYAML(data []byte, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if _, scanned := fmt.Sscanf(text, "line %d:", &line); scanned != nil || line < 1 {
		return fmt.Errorf("%s: not YAML: %s", p.file.Name, text)
	}
	_, text, _ = strings.Cut(text, ": ")
	if lines := bytes.Split(data, []byte("\n")); line <= len(lines) && bytes.HasPrefix(bytes.TrimLeft(lines[line-1], " "), []byte("\t")) {
		text = "a tab; indent with spaces"
	}
	return p.wrong(line, "not YAML: %s", text)
}

func (p parser) top(n *yaml.Node) error {
	return p.pairs("the file", n, func(key, value *yaml.Node) error {
		if key.Value == "targets" {
			return p.targets(value)
		}
		return p.setting(&p.file.common, key, value)
	})
}

func (p parser) targets(n *yaml.Node) error {
	return p.pairs("targets", n, func(key, value *yaml.Node) error {
		if strings.ContainsAny(key.Value, "/:. ") || key.Value == "" {
			return p.wrong(key.Line, "%q can't be the name of a target; use letters, digits and -, so that it is told from an address", key.Value)
		}
		t := newTarget(key.Value)
		p.file.all[key.Value] = &t
		err := p.pairs("the target "+key.Value, value, func(key, value *yaml.Node) error { return p.setting(&t, key, value) })
		if _, ok := t.flags["target"]; err == nil && !ok {
			return p.wrong(key.Line, "the target %s has no address", key.Value)
		}
		return err
	})
}

// pairs calls each for the keys and values of a map. A repeated key is an error.
func (p parser) pairs(what string, n *yaml.Node, each func(key, value *yaml.Node) error) error {
	if n = resolved(n); n.Kind != yaml.MappingNode {
		return p.wrong(n.Line, "%s is not a map of keys to values", what)
	}
	seen := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if line, twice := seen[key.Value]; twice {
			return p.wrong(key.Line, "%s has %s twice; the first is in line %d", what, key.Value, line)
		}
		seen[key.Value] = key.Line
		if err := each(key, resolved(n.Content[i+1])); err != nil {
			return err
		}
	}
	return nil
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// setting reads one key of the file or of a target.
func (p parser) setting(t *Target, key, value *yaml.Node) error {
	switch {
	case keyWords[key.Value] != "":
		return p.keyOf(t, keyWords[key.Value], key, value)
	case key.Value == "gates":
		return p.pairs("gates", value, func(key, value *yaml.Node) error {
			if !slices.Contains(gates, key.Value) {
				return p.wrong(key.Line, "unknown gate %q; use %s", key.Value, strings.Join(gates, ", "))
			}
			return p.flag(t, key.Value, key, value)
		})
	case key.Value == "plans" && value.Kind == yaml.MappingNode:
		return p.plans(t, key, value)
	case key.Value == "headers":
		return p.headers(t, key, value)
	}
	flag := key.Value
	if name, ok := words[flag]; ok {
		flag = name
	}
	if _, known := p.flags[flag]; !known || t.Name == "" && key.Value == "address" {
		return p.wrong(key.Line, "unknown key %q; %s", key.Value, p.hint(key.Value))
	}
	return p.flag(t, flag, key, value)
}

// hint names the known key that is near to a misspelt one, or where the keys are listed.
func (p parser) hint(key string) string {
	if name := nearest(key, p.known()); spec.EditDistance(key, name) <= max(1, len(key)/2) {
		return "the nearest is " + name
	}
	return "petconform config lists the keys of a command"
}

func (p parser) known() []string {
	return slices.Concat(slices.Collect(maps.Keys(p.flags)), slices.Collect(maps.Keys(words)), slices.Collect(maps.Keys(keyWords)), []string{"gates", "targets"})
}

// flag reads the value of a flag.
func (p parser) flag(t *Target, flag string, key, value *yaml.Node) error {
	kind := p.flags[flag]
	nodes := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		if !kind.Many {
			return p.wrong(value.Line, "%s is a list; use one value", key.Value)
		}
		nodes = value.Content
	}
	s := Setting{Key: key.Value, Line: key.Line, kind: kind, file: p.file.Name}
	for _, n := range nodes {
		v, err := p.scalar(key.Value, n)
		if err != nil {
			return err
		}
		if err := p.plain(flag, key.Value, v, kind); err != nil {
			return p.wrong(n.Line, "%w", err)
		}
		s.Values = append(s.Values, v)
	}
	return p.set(t, flag, s)
}

// set keeps a setting. Two keys for the same flag are an error.
func (p parser) set(t *Target, flag string, s Setting) error {
	if before, twice := t.flags[flag]; twice {
		return p.wrong(s.Line, "%s sets the same as %s in line %d; keep one of them", s.Key, before.Key, before.Line)
	}
	t.flags[flag] = s
	return nil
}

func (p parser) scalar(key string, n *yaml.Node) (string, error) {
	switch n = resolved(n); {
	case n.Kind != yaml.ScalarNode:
		return "", p.wrong(n.Line, "%s is a map or a list of lists; use one value", key)
	case n.Tag == "!!null" || n.Value == "":
		return "", p.wrong(n.Line, "%s has no value", key)
	}
	return n.Value, nil
}

// plain checks a value as far as that can be done before its variables are replaced.
func (p parser) plain(flag, key, value string, kind Kind) error {
	switch {
	case kind.Raw:
		_, _, err := headerOf(value)
		return err
	case hasVariable(value):
		return nil
	case key == "address":
		_, err := client.ParseBase(value)
		return err
	case flag == "plan":
		if _, ok := spec.PlanNamed(value); !ok {
			return fmt.Errorf("there is no plan %q; use Free, Pro, Business or Enterprise", value)
		}
	}
	return kind.check(key, value)
}

// keyOf reads the name of the variable that has a key. A value that may be a key is not repeated.
func (p parser) keyOf(t *Target, usual string, key, value *yaml.Node) error {
	name, err := p.scalar(key.Value, value)
	if err != nil {
		return err
	}
	if !variableName.MatchString(name) {
		return p.wrong(value.Line, "%s has to be the name of a variable, like STAGING_KEY, not the key itself", key.Value)
	}
	t.keys[usual] = Setting{Key: key.Value, Line: key.Line, Values: []string{name}, file: p.file.Name}
	return nil
}

// plans reads a map of plans to the variables of their keys.
func (p parser) plans(t *Target, key, value *yaml.Node) error {
	s := Setting{Key: key.Value, Line: key.Line, kind: p.flags["plan"], file: p.file.Name}
	err := p.pairs("plans", value, func(key, value *yaml.Node) error {
		plan, ok := spec.PlanNamed(key.Value)
		if !ok {
			return p.wrong(key.Line, "there is no plan %q; use Free, Pro, Business or Enterprise", key.Value)
		}
		s.Values = append(s.Values, plan.Name)
		return p.keyOf(t, "PETCONFORM_KEY_"+strings.ToUpper(plan.Name), key, value)
	})
	if err != nil {
		return err
	}
	return p.set(t, "plan", s)
}

// headers reads a map of names to values.
func (p parser) headers(t *Target, key, value *yaml.Node) error {
	s := Setting{Key: key.Value, Line: key.Line, kind: p.flags["header"], file: p.file.Name}
	err := p.pairs("headers", value, func(key, value *yaml.Node) error {
		v, err := p.scalar(key.Value, value)
		if err != nil {
			return err
		}
		line := key.Value + ": " + v
		if _, _, err := headerOf(line); err != nil {
			return p.wrong(key.Line, "%w", err)
		}
		s.Values = append(s.Values, line)
		return nil
	})
	if err != nil {
		return err
	}
	return p.set(t, "header", s)
}
