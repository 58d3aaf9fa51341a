package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
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

// Settable reports whether a file may set a flag.
func Settable(flag string) bool {
	return !slices.Contains([]string{"help", "config", "version", "licenses", "show", "watch", "dry-run", "require", "unsigned"}, flag)
}

type parser struct {
	file  *File
	flags map[string]*kong.Flag
}

// Parse reads a file. It may set the flags of app. A file that has one of the secrets is refused.
func Parse(name string, data []byte, app *kong.Application, secrets ...exchange.Secret) (*File, error) {
	file := &File{Name: name, From: map[string]Setting{}, Target: Target{own: map[string]Setting{}}, targets: map[string]*Target{}}
	p := parser{file, map[string]*kong.Flag{}}
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && Settable(flag.Name) && p.flags[flag.Name] == nil {
			p.flags[flag.Name] = flag
		}
		return next(nil)
	})
	for i, line := range bytes.Split(data, []byte("\n")) {
		for _, s := range secrets {
			if key := s.Reveal(); len(key) >= shortestSecret && bytes.Contains(line, []byte(key)) {
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
	return p.file, p.pairs("the file", doc.Content[0], func(key, value *yaml.Node) error {
		if key.Value == "targets" {
			return p.pairs("targets", value, p.target)
		}
		return p.setting(&p.file.Target, key, value)
	})
}

// shortestSecret is the length in bytes from which on a key is looked for in the file. A shorter one may be a part of a
// word.
const shortestSecret = 8

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

// target reads a named target.
func (p parser) target(key, value *yaml.Node) error {
	if !IsName(key.Value) {
		return p.wrong(key.Line, "%q can't be the name of a target; use letters, digits and -, so that it is told from an address", key.Value)
	}
	t := &Target{key.Value, map[string]Setting{}, p.file.own}
	p.file.targets[key.Value] = t
	err := p.pairs("the target "+key.Value, value, func(key, value *yaml.Node) error { return p.setting(t, key, value) })
	if _, ok := t.own["target"]; err == nil && !ok {
		return p.wrong(key.Line, "the target %s has no address", key.Value)
	}
	return err
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
	name := cmp.Or(words[key.Value], key.Value)
	flag := p.flags[name]
	switch {
	case keyWords[key.Value] != "":
		return p.keyOf(t, keyWords[key.Value], key, value)
	case key.Value == "gates":
		return p.pairs("gates", value, func(key, value *yaml.Node) error {
			if !slices.Contains(gates, key.Value) {
				return p.wrong(key.Line, "unknown gate %q; use %s", key.Value, strings.Join(gates, ", "))
			}
			return p.setting(t, key, value)
		})
	case flag == nil, t.Name == "" && key.Value == "address":
		return p.wrong(key.Line, "unknown key %q; %s", key.Value, p.hint(key.Value))
	}
	nodes, err := p.values(t, flag, key, value)
	if err != nil {
		return err
	}
	values := make([]string, len(nodes))
	for i, n := range nodes {
		if values[i], err = p.scalar(key.Value, n); err != nil {
			return err
		}
		if err := checkWritten(flag, key.Value, values[i]); err != nil {
			return p.wrong(n.Line, "%w", err)
		}
	}
	return p.set(t, name, key, flag, values...)
}

// set keeps a setting. Two keys for the same flag are an error.
func (p parser) set(t *Target, name string, key *yaml.Node, flag *kong.Flag, values ...string) error {
	if before, twice := t.own[name]; twice {
		return p.wrong(key.Line, "%s sets the same as %s in line %d; keep one of them", key.Value, before.Key, before.line)
	}
	t.own[name] = Setting{key.Value, fmt.Sprintf("%s:%d", p.file.Name, key.Line), values, key.Line, flag}
	p.file.all = append(p.file.all, t.own[name])
	return nil
}

// hint names the known key that is near to a misspelt one, or where the keys are listed.
func (p parser) hint(key string) string {
	known := slices.AppendSeq(slices.AppendSeq([]string{"gates", "targets"}, maps.Keys(words)), maps.Keys(keyWords))
	known = slices.Sorted(slices.Values(slices.AppendSeq(known, maps.Keys(p.flags))))
	if near := spec.Nearest(key, known); len(near) > 0 {
		return "the nearest is " + near[0]
	}
	return "petconform config --all lists the keys of a command"
}

// values returns the values of a flag: those of a list, the headers of a map, or the plans of a map, whose values name
// variables.
func (p parser) values(t *Target, flag *kong.Flag, key, value *yaml.Node) (values []*yaml.Node, err error) {
	switch {
	case value.Kind == yaml.SequenceNode && !flag.IsSlice():
		return nil, p.wrong(value.Line, "%s is a list; use one value", key.Value)
	case value.Kind == yaml.SequenceNode:
		return value.Content, nil
	case value.Kind == yaml.MappingNode && (key.Value == "headers" || key.Value == "plans"):
		return values, p.pairs(key.Value, value, func(key, value *yaml.Node) error {
			text, err := key.Value, error(nil)
			if plan, ok := spec.PlanNamed(key.Value); flag.Name == "plan" && ok {
				text, err = plan.Name, p.keyOf(t, "PETCONFORM_KEY_"+strings.ToUpper(plan.Name), key, value)
			} else if flag.Name == "header" {
				text, err = p.scalar(key.Value, value)
				text = key.Value + ": " + text
			}
			values = append(values, &yaml.Node{Kind: yaml.ScalarNode, Value: text, Line: key.Line})
			return err
		})
	}
	return []*yaml.Node{value}, nil
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

// keyOf reads the name of the variable that has a key. A value that may be a key is not repeated.
func (p parser) keyOf(t *Target, usual string, key, value *yaml.Node) error {
	name, err := p.scalar(key.Value, value)
	if err != nil {
		return err
	}
	if !variableName.MatchString(name) {
		return p.wrong(value.Line, "%s has to be the name of a variable, like STAGING_KEY, not the key itself", key.Value)
	}
	return p.set(t, usual, key, nil, name)
}

// checkWritten checks a value as far as that can be done before its variables are replaced.
func checkWritten(flag *kong.Flag, key, value string) error {
	switch {
	case flag.Name == "header":
		_, _, err := headerOf(value)
		return err
	case hasVariable(value):
		return nil
	case key == "address":
		_, err := client.ParseBase(value)
		return err
	case flag.Name == "plan":
		if _, ok := spec.PlanNamed(value); !ok {
			return fmt.Errorf("there is no plan %q; use Free, Pro, Business or Enterprise", value)
		}
	}
	return check(flag, value)
}

// check refuses a value that the flag does not take, in kong's words. A flag of text takes any.
func check(flag *kong.Flag, value string) error {
	switch kind := flag.Target.Kind(); {
	case flag.Enum != "" && !slices.Contains(flag.EnumSlice(), value):
		return fmt.Errorf("--%s is %q; use %s", flag.Name, value, strings.Join(flag.EnumSlice(), ", "))
	case kind == reflect.String, kind == reflect.Slice:
		return nil
	}
	return flag.Parse(kong.Scan().PushTyped(value, kong.FlagValueToken), reflect.New(flag.Target.Type()).Elem())
}
