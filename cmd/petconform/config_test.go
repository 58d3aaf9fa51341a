package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"petconform/cmd/petconform/settings"
)

// inFolder runs the command line in a new folder with a petconform.yaml.
func inFolder(t *testing.T, file string, args ...string) (code int, out, err string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if file != "" {
		if err := os.WriteFile(settings.DefaultName, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var o, e bytes.Buffer
	code = run(t.Context(), args, streams{&o, &e})
	return code, o.String(), e.String()
}

const twoTargets = `
max-creates: 20
out: from-file
targets:
  staging:
    address: http://127.0.0.1:1/v1
    key: PETCONFORM_KEY_STAGING
    max-creates: 10
    headers: {X-Gate-Token: "${PETCONFORM_GATE}"}
  production:
    address: https://${PETCONFORM_NO_SUCH_HOST}/v1
gates: {p99: 300ms, need: [load]}
`

const oneTarget = "targets:\n  staging: {address: \"https://127.0.0.1:1/v1\"}\n"

// TestConfig: flags win over the environment, and that over the file; each setting is told with its source, and no secret.
func TestConfig(t *testing.T) {
	t.Setenv("PETCONFORM_KEY_STAGING", "a1B2c3D4e5F6")
	t.Setenv("PETCONFORM_GATE", "g1H2i3J4k5L6")
	t.Setenv("PETCONFORM_TARGET", "http://127.0.0.1:2/v1")
	for _, row := range []struct {
		name string
		args []string
		want []string
	}{
		{"nothing given", []string{"--all"}, []string{"target http://127.0.0.1:2/v1 variable PETCONFORM_TARGET", "max-creates 20 petconform.yaml:2", "out from-file petconform.yaml:3",
			"p99 300ms petconform.yaml:12", "need load petconform.yaml:12", "patience 10s default", "key not set variable PETCONFORM_KEY"}},
		{"a target", []string{"staging"}, []string{"target http://127.0.0.1:1/v1 petconform.yaml:6", "max-creates 10 petconform.yaml:8",
			"header X-Gate-Token: ${PETCONFORM_GATE} petconform.yaml:9", "key set variable PETCONFORM_KEY_STAGING, petconform.yaml:7", "out from-file petconform.yaml:3"}},
		{"flags", []string{"check", "--target", "staging", "--max-creates=5", "--header", "X-Tenant: blue"},
			[]string{"target http://127.0.0.1:1/v1 petconform.yaml:6", "max-creates 5 command line", "header X-Tenant: … command line"}},
		{"load", []string{"load", "staging", "--plan", "Pro", "--all"}, []string{"plan Pro command line", "key-pro not set variable PETCONFORM_KEY_PRO"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			code, out, stderr := inFolder(t, twoTargets, append([]string{"config"}, row.args...)...)
			if all := slices.Contains(row.args, "--all"); all != strings.Contains(out, "  default\n") {
				t.Errorf("defaults are printed with --all only, and %v is wanted:\n%s", all, out)
			}
			lines := map[string]bool{}
			for line := range strings.Lines(out) {
				lines[strings.Join(strings.Fields(line), " ")] = true
			}
			for _, want := range row.want {
				if !lines[want] {
					t.Errorf("%q is wanted", want)
				}
			}
			if code != 0 || strings.Contains(out+stderr, "a1B2c3D4e5F6") || strings.Contains(out+stderr, "g1H2i3J4k5L6") || t.Failed() {
				t.Errorf("exit code %d\n%s%s", code, out, stderr)
			}
		})
	}
}

// TestWrongTargets: a name that no target has, and a variable that is not set, end with exit code 2 and say so.
func TestWrongTargets(t *testing.T) {
	for _, row := range []struct {
		name, file string
		args       []string
		want       string
	}{
		{"no such target", twoTargets, []string{"check", "stagin"}, `petconform.yaml has no target "stagin"; it has production, staging`},
		{"no file", "", []string{"check", "staging"}, `the target "staging" is not an address like https://host/v1, and there is no petconform.yaml that could have a target of this name`},
		{"no targets", "read-only: true\n", []string{"load", "--target", "staging"}, `petconform.yaml has no targets, so "staging" is not one; add it under targets, or use an address like https://host/v1`},
		{"missing variable", twoTargets, []string{"check", "production"}, `petconform.yaml:11: the variable PETCONFORM_NO_SUCH_HOST is not set`},
		{"missing key", twoTargets, []string{"check", "staging"}, `the header X-Gate-Token: the variable PETCONFORM_GATE is not set`},
		{"wrong file", "max-creats: 1\n", []string{"list"}, `petconform.yaml:1: unknown key "max-creats"; the nearest is max-creates`},
		{"a certificate's key alone", oneTarget + "cert-key: k.pem\n", []string{"check", "staging"}, `petconform.yaml:3: --cert-key has the key of a certificate; name the certificate with --cert`},
		{"a file that is not there", oneTarget + "ca-cert: no.pem\n", []string{"check", "staging"}, `petconform.yaml:3: --ca-cert: open no.pem`},
		{"a time of zero", oneTarget + "wait-ready: 0s\n", []string{"check", "staging"}, `petconform.yaml:3: --wait-ready: "0s" is not a time above 0`},
		{"a number below 0", oneTarget + "max-creates: -4\n", []string{"check", "staging"}, `petconform.yaml:3: --max-creates is -4; use 0 or more`},
		{"a port that does not exist", "", []string{"check", "http://h.example:99999/v1"}, `the target "http://h.example:99999/v1" has the port 99999; use 1 to 65535`},
		{"an empty query", "", []string{"check", "http://h.example/v1?"}, `has a query or a fragment`},
		{"tabs", "targets:\n\tstaging: {}\n", []string{"check"}, `petconform.yaml:2: not YAML: a tab; indent with spaces`},
		{"an empty value", "out: \"\"\n", []string{"check"}, `petconform.yaml:1: out has no value`},
		{"a merged map", "targets:\n  a:\n    <<: {timeout: 3s}\n", []string{"check"}, `petconform.yaml:3: unknown key "<<"; petconform config --all lists the keys of a command`},
		{"an example that would be overwritten", "read-only: true\n", []string{"init"}, `petconform.yaml exists; edit it, or name another file`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if code, out, stderr := inFolder(t, row.file, row.args...); code != 2 || !strings.Contains(stderr, row.want) {
				t.Errorf("exit code %d; 2 and %q are wanted\n%s%s", code, row.want, out, stderr)
			}
		})
	}
}

// TestInit: the file that init writes is read by the next command.
func TestInit(t *testing.T) {
	if code, out, stderr := inFolder(t, "", "init"); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	var out, stderr bytes.Buffer
	if code := run(t.Context(), []string{"config", "staging"}, streams{&out, &stderr}); code != 0 || !strings.Contains(out.String(), "https://staging.example/v1") {
		t.Errorf("exit code %d\n%s%s", code, &out, &stderr)
	}
}

// TestFileOfKeysOfAFoundFile: a petconform.yaml that is only found names no file whose content would be sent as a key.
func TestFileOfKeysOfAFoundFile(t *testing.T) {
	for _, file := range []string{"key-file: secret\n", "targets:\n  staging:\n    address: http://127.0.0.1:1/v1\n    key-file: secret\n"} {
		code, out, stderr := inFolder(t, file, "check", "--target", "http://127.0.0.1:1/v1")
		if code != 2 || !strings.Contains(stderr, "key-file names a file of keys") {
			t.Errorf("exit code %d, %s%s", code, out, stderr)
		}
	}
}

// TestVariablesOfAFoundFile: a petconform.yaml that is only found reaches no secret but petconform's own; one that --config names does.
func TestVariablesOfAFoundFile(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "a1B2c3D4e5F6")
	for name, line := range map[string]string{"header": "headers: {X-Gate-Token: \"${AWS_SECRET_ACCESS_KEY}\"}", "key": "key: AWS_SECRET_ACCESS_KEY",
		"address": "address: \"https://${AWS_SECRET_ACCESS_KEY}.example/v1\""} {
		file := "targets:\n  staging:\n    category: 1\n    " + line + "\n"
		if !strings.Contains(line, "address") {
			file += "    address: http://127.0.0.1:1/v1\n"
		}
		code, out, stderr := inFolder(t, file, "config", "staging")
		if code != 2 || !strings.Contains(stderr, "petconform.yaml:4: ") || !strings.Contains(stderr, "names the variable AWS_SECRET_ACCESS_KEY") ||
			!strings.Contains(strings.Join(strings.Fields(stderr), " "), "use --config petconform.yaml") {
			t.Errorf("%s: exit code %d, %s%s", name, code, out, stderr)
		}
		if code, out, stderr := inFolder(t, file, "config", "--config", settings.DefaultName, "staging"); code != 0 {
			t.Errorf("%s, with --config: exit code %d, %s%s", name, code, out, stderr)
		}
	}
}
