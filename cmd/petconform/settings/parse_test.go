package settings

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"petconform/spec/exchange"
)

// application has flags of each type.
func application(t testing.TB) *kong.Application {
	t.Helper()
	parser, err := kong.New(&struct {
		Target, Waivers, Out, Cert, CertKey, CACert string
		CategoryID, MaxCreates                      int64
		ReadOnly, AcceptPart                        bool
		WaitReady                                   time.Duration
		P99                                         *time.Duration `name:"p99"`
		Need                                        []string       `enum:"load,comparison"`
		Header, Plan, Only, Resolve                 []string
	}{})
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// key is an API key that a user might put into the file.
const key = "a1B2c3D4e5F6"

func env(name string) (string, bool) {
	v, ok := map[string]string{"HOST": "staging.example", "MANY": "many", "EMPTY": ""}[name]
	return v, ok
}

// TestWrongFiles: what is wrong is told with its line, in these words, and no secret is repeated.
func TestWrongFiles(t *testing.T) {
	for _, row := range []struct{ name, file, want string }{
		{"unknown key", "categoryid: 3\n", `f.yaml:1: unknown key "categoryid"; the nearest is category-id`},
		{"unknown key of a target", "targets:\n  staging:\n    addrss: https://h.example/v1\n", `f.yaml:3: unknown key "addrss"; the nearest is address`},
		{"an address for all targets", "address: https://h.example/v1\n", `f.yaml:1: unknown key "address"; the nearest is address`},
		{"unknown gate", "gates:\n  p98: 300ms\n", `f.yaml:2: unknown gate "p98"; use p99, need`},
		{"a number that is a word", "\nmax-creates: many\n", `f.yaml:2: --max-creates: expected a valid 64 bit int but got "many"`},
		{"a number with a fraction", "category: 1.5\n", `f.yaml:1: --category-id: expected a valid 64 bit int but got "1.5"`},
		{"a time without a unit", "wait-ready: 60\n", `f.yaml:1: --wait-ready: expected duration but got "60": time: missing unit in duration "60"`},
		{"a switch that is a word", "read-only: maybe\n", `f.yaml:1: --read-only: bool value must be true, 1, yes, false, 0 or no but got "maybe"`},
		{"a gate without a unit", "gates: {p99: 300}\n", `f.yaml:1: --p99: expected duration but got "300": time: missing unit in duration "300"`},
		{"a word that is none of the words", "gates: {need: everything}\n", `f.yaml:1: --need is "everything"; use load, comparison`},
		{"a list for one value", "waivers: [a.yaml, b.yaml]\n", `f.yaml:1: waivers is a list; use one value`},
		{"a map for one value", "waivers:\n  file: a.yaml\n", `f.yaml:2: waivers is a map or a list of lists; use one value`},
		{"no value", "waivers:\n", `f.yaml:1: waivers has no value`},
		{"a list for a map", "targets: [staging]\n", `f.yaml:1: targets is not a map of keys to values`},
		{"not a map", "staging\n", `f.yaml:1: the file is not a map of keys to values`},
		{"two targets of a name", "targets:\n  a: {address: 'http://a/v1'}\n  a: {address: 'http://b/v1'}\n", `f.yaml:3: targets has a twice; the first is in line 2`},
		{"a key twice", "read-only: true\nread-only: false\n", `f.yaml:2: the file has read-only twice; the first is in line 1`},
		{"two keys for one flag", "category: 1\ncategory-id: 1\n", `f.yaml:2: category-id sets the same as category in line 1; keep one of them`},
		{"plans twice", "plan: Free\nplans: {Pro: PRO_KEY}\n", `f.yaml:2: plans sets the same as plan in line 1; keep one of them`},
		{"a target without an address", "targets:\n  staging:\n    read-only: true\n", `f.yaml:2: the target staging has no address`},
		{"the name of a target that may be a host", "targets:\n  api.example: {address: 'http://a/v1'}\n", `f.yaml:2: "api.example" can't be the name of a target; use letters, digits and -, so that it is told from an address`},
		{"an address that is none", "targets:\n  staging:\n    address: staging.example\n", `f.yaml:3: the target "staging.example" is not a base address; use http:// or https:// and a host, like https://host/v1`},
		{"unknown plan", "plans: {Gratis: FREE_KEY}\n", `f.yaml:1: there is no plan "Gratis"; use Free, Pro, Business or Enterprise`},
		{"unknown plan of a list", "plans: [Free, Gratis]\n", `f.yaml:1: there is no plan "Gratis"; use Free, Pro, Business or Enterprise`},
		{"a key for its variable", "targets:\n  staging:\n    address: https://h.example/v1\n    key: A1hunter2\n", `f.yaml:4: key has to be the name of a variable, like STAGING_KEY, not the key itself`},
		{"a plan's key for its variable", "plans:\n  Free: A1hunter2\n", `f.yaml:2: Free has to be the name of a variable, like STAGING_KEY, not the key itself`},
		{"the key of the environment", "read-only: true\nout: " + key + "\n", `f.yaml:2: the file contains an API key; keep it in a variable, and name the variable with key: NAME_OF_VARIABLE`},
		{"a password in the address", "targets:\n  staging: {address: 'https://me:hunter2@h.example/v1'}\n", `f.yaml:2: the target has a user name or a password; set the API key with PETCONFORM_KEY or --key-file instead`},
		{"a secret in a header", "headers:\n  X-Gate-Token: hunter2\n", `f.yaml:2: the header X-Gate-Token looks like a secret; put its value into a variable and write 'X-Gate-Token: ${NAME}', in single quotes on a command line`},
		{"the API key in a header", "header: 'Authorization: Bearer hunter2'\n", `f.yaml:1: the header Authorization can't be set: it carries the API key, which comes from PETCONFORM_KEY or --key-file`},
		{"a header without a colon", "header: [hunter2]\n", `f.yaml:1: a header has no colon; use one like 'X-Tenant: blue'`},
		{"not YAML", "a: [1\n", `f.yaml:1: not YAML: did not find expected ',' or ']'`},
		{"two documents", "read-only: true\n---\nread-only: true\n", `f.yaml: the file has more than one YAML document`},
	} {
		_, err := Parse("f.yaml", []byte(row.file), application(t), exchange.NewSecret(key))
		if err == nil {
			t.Errorf("%s: no error; %q is wanted", row.name, row.want)
			continue
		}
		if err.Error() != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, err, row.want)
		}
		for _, secret := range []string{key, "hunter2"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the message has the secret: %s", row.name, err)
			}
		}
	}
}

// TestWrongVariables: a variable is looked at when its setting is used, so the targets that a command does not name need none.
func TestWrongVariables(t *testing.T) {
	f, err := Parse("f.yaml", []byte("out: ${OUT}\ncategory: ${MANY}\nwaivers: ${EMPTY}\nca-cert: ${ca\nonly: [a, '${}']\n"), application(t))
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"out":         "f.yaml:1: the variable OUT is not set",
		"category-id": `f.yaml:2: --category-id: expected a valid 64 bit int but got "many"`,
		"waivers":     "f.yaml:3: the variable EMPTY is not set",
		"ca-cert":     `f.yaml:4: "${ca" is not a variable; use one like ${NAME}`,
		"only":        `f.yaml:5: "${}" is not a variable; use one like ${NAME}`,
	} {
		s, _ := f.Setting(flag)
		if got, err := s.Expand(env); err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v; %s is wanted", flag, got, err, want)
		}
	}
}

// TestSettings: a target's own settings stand before the common ones, and lists stay lists.
func TestSettings(t *testing.T) {
	f, err := Parse("f.yaml", []byte(`
read-only: true
out: "$5"
key: COMMON_KEY
targets:
  local: {address: "http://127.0.0.1:8080/v1"}
  staging: &staging
    address: https://${HOST}/v1
    key: STAGING_KEY
    plans: {free: STAGING_KEY_FREE, Pro: STAGING_KEY_PRO}
    read-only: false
    gates: {need: [load, comparison], p99: 300ms}
    headers: {X-Tenant: "blue, green", X-Gate-Token: "${GATE_SECRET}"}
    only: LIST-5
  again: *staging
`), application(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		target, flag string
		want         []string
		where        string
	}{
		{"local", "read-only", []string{"true"}, "f.yaml:2"},
		{"local", "out", []string{"$5"}, "f.yaml:3"},
		{"staging", "read-only", []string{"false"}, "f.yaml:11"},
		{"staging", "target", []string{"https://staging.example/v1"}, "f.yaml:8"},
		{"staging", "plan", []string{"Free", "Pro"}, "f.yaml:10"},
		{"staging", "need", []string{"load", "comparison"}, "f.yaml:12"},
		{"staging", "p99", []string{"300ms"}, "f.yaml:12"},
		{"staging", "header", []string{"X-Tenant: blue, green", "X-Gate-Token: ${GATE_SECRET}"}, "f.yaml:13"},
		{"again", "only", []string{"LIST-5"}, "f.yaml:14"},
	} {
		target, err := f.Named(row.target)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := target.Setting(row.flag)
		got, err := s.Expand(env)
		if err != nil || !slices.Equal(got, row.want) || s.Where != row.where {
			t.Errorf("%s %s: %q at %s, %v; %q at %s is wanted", row.target, row.flag, got, s.Where, err, row.want, row.where)
		}
	}
	staging, _ := f.Named("staging")
	for usual, want := range map[string]string{"PETCONFORM_KEY": "STAGING_KEY", "PETCONFORM_KEY_FREE": "STAGING_KEY_FREE"} {
		if s, _ := staging.Setting(usual); !slices.Equal(s.Values, []string{want}) {
			t.Errorf("%s is in %q; %s is wanted", usual, s.Values, want)
		}
	}
	if got, want := f.SecretVariables(), []string{"COMMON_KEY", "GATE_SECRET", "STAGING_KEY", "STAGING_KEY_FREE", "STAGING_KEY_PRO"}; !slices.Equal(got, want) {
		t.Errorf("the variables with secrets are %q; %q are wanted", got, want)
	}
	if _, err := f.Named("stagin"); err == nil || err.Error() != `f.yaml has no target "stagin"; it has again, local, staging` {
		t.Errorf("%v", err)
	}
}

// TestExample: the file to begin with is right, and is right too when each comment is a setting.
func TestExample(t *testing.T) {
	var every []string
	for _, line := range strings.Split(string(Example), "\n")[6:] {
		if bare, comment := strings.CutPrefix(strings.TrimLeft(line, " "), "# "); comment {
			line = line[:len(line)-len(bare)-2] + bare
		}
		every = append(every, line)
	}
	for _, text := range []string{string(Example), strings.ReplaceAll(strings.Join(every, "\n"), "Settings at the top hold for every target.", "")} {
		f, err := Parse(DefaultName, []byte(text), application(t))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if _, err := f.Named("staging"); err != nil {
			t.Error(err)
		}
	}
}
