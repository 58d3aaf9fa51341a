package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestSettings: a flag wins over the environment, and that over the file. A file is of flags of all commands.
func TestSettings(t *testing.T) {
	for _, row := range []struct {
		name, file, variable, args string
		want                       func(c *commands) bool
	}{
		{"a number, and a flag of another command", "max-creates: 20\nlog: off\n", "", "check", func(c *commands) bool { return *c.Check.MaxCreates == 20 }},
		{"a flag", "max-creates: 20\n", "", "check --max-creates=5", func(c *commands) bool { return *c.Check.MaxCreates == 5 }},
		{"a target", "target: http://h.example/v1\n", "", "check", func(c *commands) bool { return c.Check.Target == "http://h.example/v1" }},
		{"the environment", "target: http://h.example/v1\n", "http://e.example/v1", "check", func(c *commands) bool { return c.Check.Target == "http://e.example/v1" }},
		{"an argument", "target: http://h.example/v1\n", "", "check http://a.example/v1", func(c *commands) bool { return c.Check.Target == "http://a.example/v1" }},
		{"two values", "need: load,comparison\n", "", "signoff --reference", func(c *commands) bool { return slices.Equal(c.Signoff.Need, []string{"load", "comparison"}) }},
		{"a switch, and text of digits", "strict: true\nenvironment: 007\n", "", "check", func(c *commands) bool { return c.Check.Strict && c.Check.Environment == "007" }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			put(t, ".", settingsFile, []byte(row.file))
			if row.variable != "" {
				t.Setenv(targetVariable, row.variable)
			}
			var c commands
			parser, err := newApp(&bytes.Buffer{}, &bytes.Buffer{}).newParser(&c, settings{})
			noError(t, err)
			if _, err := parser.Parse(strings.Fields(row.args)); err != nil || !row.want(&c) {
				t.Errorf("%v; %+v", err, c.Check)
			}
		})
	}
}

// TestWrongSettings: what is wrong ends with exit code 2, and is told with its place.
func TestWrongSettings(t *testing.T) {
	const value = "needs one value, or several with commas between them, like load,comparison"
	for _, row := range []struct{ name, file, want string }{
		{"a name that no flag has", "out: a\nmax-creats: 1\n", `petconform.yaml:2: a file cannot set "max-creats": a secret does not belong in it, and it must not turn a red result green; it may set target, ca-cert, wait-ready`},
		{"a name twice", "out: a\nstrict: true\nout: b\n", `petconform.yaml: unmarshal errors: line 3: mapping key "out" already defined at line 1; use lines like max-creates: 20`},
		{"no value", "target:\n", "petconform.yaml:1: target " + value},
		{"an empty value", "target: ''\n", "petconform.yaml:1: target " + value},
		{"a list", "need: [load]\n", "petconform.yaml:1: need " + value},
		{"an alias", "out: &a b\nenvironment: *a\n", "petconform.yaml:2: environment " + value},
		{"two documents", "out: a\n---\nout: b\n", "petconform.yaml: the file has a second YAML document; use one"},
		{"a word for a number", "strict: true\nmax-creates: many\n", `petconform.yaml:2: --max-creates: expected a valid 64 bit uint but got "many"`},
		{"a value of none", "need: everything\n", "petconform.yaml:1: --need must be one of"},
		{"a file that is not there", "target: https://127.0.0.1:1/v1\nca-cert: no.pem\n", "petconform.yaml:2: --ca-cert: open no.pem"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv(keyVariable, "a-key-of-some-length")
			t.Chdir(t.TempDir())
			put(t, ".", settingsFile, []byte(row.file))
			if code, said := commanded(t, "check"); code != 2 || !strings.Contains(said, row.want) {
				t.Errorf("exit code %d; 2 and %q are wanted\n%s", code, row.want, said)
			}
		})
	}
}

// TestRefusedSettings: a file that lies in a folder sets no secret, and nothing that turns a red result green. A new
// flag is refused until somebody decides otherwise.
func TestRefusedSettings(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Vars{"version": "", "limiters": "", "phases": ""})
	noError(t, err)
	flags := map[string]bool{}
	for _, command := range parser.Model.Leaves(false) {
		for _, flag := range command.Flags {
			flags[flag.Name] = true
		}
	}
	for name := range flags {
		const want = "a secret does not belong in it, and it must not turn a red result green"
		err := settings{}.read([]byte(name + ": 1\n"))
		allowed := slices.Contains(settable, name)
		if allowed != (err == nil) || !allowed && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; %q is wanted unless a file may set it", name, err, want)
		}
	}
	for _, name := range settable {
		if !flags[name] {
			t.Errorf("a file may set %s, which is not a flag", name)
		}
	}
	const never = "key-file header allowed-signers max-age unsigned require skip only accept-part waivers as-of"
	for name := range strings.FieldsSeq(never) {
		if !flags[name] || slices.Contains(settable, name) {
			t.Errorf("a file may set %s, or it is not a flag", name)
		}
	}
}
