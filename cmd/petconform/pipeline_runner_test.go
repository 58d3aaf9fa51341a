package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// step is a step of a composite action.
type step struct {
	ID, If, Shell, Run, Uses string
	With, Env                map[string]string
}

// runner does with steps what GitHub's runner does: it fills in expressions, runs scripts in bash, and reads the files that they
// write. It knows the expressions and actions that petconform's action has, and fails at any other.
type runner struct {
	t        *testing.T
	dir      string // the workspace
	env      []string
	contexts map[string]string // the values of expressions that no step and no input has
	inputs   map[string]string
	outputs  map[string]map[string]string // by the step's id
	stdout   strings.Builder
	log      strings.Builder     // standard error
	uploaded map[string][]string // files by the artifact's name
}

// action runs the composite action and returns the exit code of its first step that failed.
func (r *runner) action(given map[string]string) (code int) {
	r.t.Helper()
	home, err := filepath.Abs("../../.github/actions/petconform")
	if err != nil {
		r.t.Fatal(err)
	}
	var a struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	readYAML(r.t, filepath.Join(home, "action.yml"), &a)
	r.inputs, r.outputs, r.uploaded = map[string]string{}, map[string]map[string]string{}, map[string][]string{}
	r.contexts = map[string]string{"github.action_path": home, "github.action_ref": strings.Repeat("0123456789", 4),
		"runner.temp": r.file("temp"), "runner.os": "Linux", "runner.arch": "X64"}
	for name, in := range a.Inputs {
		r.inputs[name] = in.Default
	}
	for name, value := range given {
		if _, ok := a.Inputs[name]; !ok {
			r.t.Fatalf("the action has no input %s", name)
		}
		r.inputs[name] = value
	}
	r.env = append(r.env, "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+home, "GITHUB_STEP_SUMMARY="+r.file("summary"), "RUNNER_TEMP="+r.file("temp"))
	for _, s := range a.Runs.Steps {
		if r.due(s.If, code) {
			if c := r.step(s); code == 0 {
				code = c
			}
		}
	}
	return code
}

// file is a file of the runner, outside of the workspace.
func (r *runner) file(name string) string { return filepath.Join(filepath.Dir(r.dir), name) }

// due reports whether a step runs after earlier ones that ended with code.
func (r *runner) due(condition string, code int) bool {
	left, right, compares := strings.Cut(condition, " != ")
	switch {
	case condition == "always()":
		return true
	case condition == "" || code != 0:
		return code == 0
	case !compares:
		r.t.Fatalf("a condition that is not known: %s", condition)
	}
	return r.value(left) != strings.Trim(right, "'")
}

// value is the value of an expression.
func (r *runner) value(expression string) string {
	p := strings.Split(expression, ".")
	v, known := r.contexts[expression]
	switch {
	case known:
		return v
	case p[0] == "inputs" && len(p) == 2:
		if v, ok := r.inputs[p[1]]; ok {
			return v
		}
	case p[0] == "steps" && len(p) == 4 && p[2] == "outputs":
		return r.outputs[p[1]][p[3]]
	}
	r.t.Fatalf("an expression that is not known: %s", expression)
	return ""
}

var expressions = regexp.MustCompile(`\$\{\{ *(.+?) *\}\}`)

func (r *runner) fill(text string) string {
	return expressions.ReplaceAllStringFunc(text, func(e string) string { return r.value(expressions.FindStringSubmatch(e)[1]) })
}

// step runs one step and returns its exit code.
func (r *runner) step(s step) int {
	name, _, _ := strings.Cut(s.Uses, "@")
	switch name {
	case "":
		return r.script(s)
	case "actions/setup-go":
		if _, err := os.Stat(r.fill(s.With["go-version-file"])); err != nil {
			r.t.Error(err)
		}
	case "actions/cache": // nothing was kept yet
		if key := r.fill(s.With["key"]); !strings.HasSuffix(key, r.contexts["github.action_ref"]) {
			r.t.Errorf("the key %s does not name the commit", key)
		}
	case "actions/upload-artifact":
		if files := filesIn(r.t, filepath.Join(r.dir, r.fill(s.With["path"]))); len(files) > 0 {
			r.uploaded[r.fill(s.With["name"])] = files
		}
	default:
		r.t.Fatalf("an action that is not known: %s", s.Uses)
	}
	return 0
}

func (r *runner) script(s step) int {
	if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
		r.t.Fatalf("a script for bash, without an expression that could become part of it, is wanted:\n%s", s.Run)
	}
	output, path := r.file("output"), r.file("path")
	env := append(slices.Clone(r.env), "GITHUB_OUTPUT="+output, "GITHUB_PATH="+path)
	for name, value := range s.Env {
		env = append(env, name+"="+r.fill(value))
	}
	cmd := command(env, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.dir, &r.stdout, &r.log
	code, _, _ := ran(cmd)
	r.outputs[s.ID] = map[string]string{}
	for line := range strings.Lines(taken(output)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		r.outputs[s.ID][name] = value
	}
	for line := range strings.Lines(taken(path)) {
		r.env = append(r.env, "PATH="+strings.TrimSpace(line)+":"+os.Getenv("PATH"))
	}
	return code
}

// taken returns what a file has, and removes the file.
func taken(name string) string {
	b, _ := os.ReadFile(name)
	_ = os.Remove(name)
	return string(b)
}

// filesIn lists the files below a folder that does not have to be there, without hidden ones.
func filesIn(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			name, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

func readYAML(t *testing.T, name string, documents ...any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dec := yaml.NewDecoder(f)
	for _, d := range documents {
		if err := dec.Decode(d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}
