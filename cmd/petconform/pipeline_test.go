package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/spec"
	"petconform/spec/reference"
)

// pipeline is a job of a CI system: a script, its variables, and the folder and the JUnit report that the system keeps.
type pipeline struct {
	script, folder, junit string
	env                   []string
}

// pipelines make the job of each system, as its action, template or README has it, from the inputs that a user gives.
var pipelines = map[string]func(t *testing.T, inputs map[string]string) pipeline{
	"GitHub": onGitHub, "GitLab": onGitLab, "Jenkins": onJenkins}

// TestPipelines runs the scripts of the CI systems as they stand: the job ends with petconform's exit code, and keeps
// the report of this run. On GitHub there is an annotation, and the summary of the step.
func TestPipelines(t *testing.T) {
	for _, c := range []struct {
		name       string
		deviations []string
		inputs     map[string]string // beside the target, if it is not among them
		code       int
		annotation string // the first ::error; "" wants none
		summary    string // a part of it; "" wants no report at all
	}{
		{"green", nil, nil, 0, "", "CONFORMS"},
		{"red", []string{"auth-basic-accepted"}, map[string]string{"args": "--concurrency=4\n--build=1.2 of today\n", "out": "runs/red"}, 1,
			"::error title=DEVIATES", "1.2 of today"},
		{"a part", nil, map[string]string{"args": "--only=LIST-5"}, 3, "::error title=PART HOLDS", "PART"},
		{"wrong usage", nil, map[string]string{"plan": "Free"}, 2, "::error title=petconform wrote no report::Exit code 2", ""},
		{"no target", nil, map[string]string{"target": ""}, 2, "::error title=petconform wrote no report::Exit code 2", ""},
	} {
		for system, job := range pipelines {
			if system == "Jenkins" && (c.inputs["args"]+c.inputs["plan"] != "") {
				continue // it has no inputs
			}
			t.Run(system+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				target, key := serving(t, reference.Config{Deviations: c.deviations})
				inputs := map[string]string{"target": target}
				maps.Copy(inputs, c.inputs)
				p, dir := job(t, inputs), t.TempDir()
				for _, file := range append(bundle.Names(), reports.BundleFile, ".petconform") { // of an earlier run
					if !strings.Contains(file, "/") && file != bundle.WaiversFile {
						put(t, dir, p.folder+"/"+file, []byte("green"))
					}
				}
				env := append(append(os.Environ(), "NO_COLOR=1", "PETCONFORM_KEY="+key), p.env...)
				cmd := command(env, "bash", "-eo", "pipefail", "-c", p.script)
				cmd.Dir = dir
				code, out, errs := ran(cmd)
				if code != c.code {
					t.Fatalf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
				}
				files := []string{"junit.xml", "recording.jsonl", "report.html", "results.json", "summary.md"}
				if c.summary == "" {
					files = nil
				}
				kept := filesIn(t, filepath.Join(dir, p.folder))
				if !slices.Equal(kept, files) || p.junit != "" && p.junit != filepath.Join(p.folder, "junit.xml") {
					t.Errorf("%q is kept, with %q for its tests; %q is wanted", kept, p.junit, files)
				}
				if system != "GitHub" {
					return
				}
				first := regexp.MustCompile("(?m)^::error.*$").FindString(out)
				summary, _ := os.ReadFile(filepath.Join(p.temp(), "summary"))
				outputs, _ := os.ReadFile(filepath.Join(p.temp(), "output"))
				want := fmt.Sprintf("artifact=%s\nexit-code=%d\n", filepath.Base(p.folder), code)
				if !strings.HasSuffix(string(outputs), want) {
					t.Errorf("the outputs are %q; %q is wanted", outputs, want)
				}
				if !strings.HasPrefix(first, c.annotation) || (first == "") != (c.annotation == "") || !strings.Contains(string(summary), c.summary) {
					t.Errorf("the first error is %q, want %q; the step's summary, with %q, is:\n%s", first, c.annotation, c.summary, summary)
				}
			})
		}
	}
}

// temp is the folder of GitHub's runner for files that are not of the workspace.
func (p pipeline) temp() string { return strings.TrimPrefix(p.env[0], "RUNNER_TEMP=") }

// step is a step of a job or of an action.
type step struct {
	ID, Run string
	Env     map[string]string
}

// onGitHub has the scripts of the composite action, in their order. A stand-in for Go builds petconform.
func onGitHub(t *testing.T, inputs map[string]string) pipeline {
	home, err := filepath.Abs("../../.github/actions/petconform")
	noError(t, err)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	readYAML(t, filepath.Join(home, "action.yml"), &action)
	temp := t.TempDir()
	p := pipeline{folder: fill(t, "${{ inputs.out }}", action.Inputs, inputs), env: []string{"RUNNER_TEMP=" + temp, "GITHUB_ACTIONS=true",
		"GITHUB_ACTION_PATH=" + home, "GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_PATH=" + filepath.Join(temp, "path"),
		"GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary"), "PATH=" + withPrograms(t, map[string]string{"go": goInAction})}}
	for _, s := range action.Runs.Steps {
		for name, value := range s.Env {
			if strings.Contains(value, " inputs.") {
				p.env = append(p.env, name+"="+fill(t, value, action.Inputs, inputs))
			}
		}
		if s.Run != "" {
			p.script += "(" + s.Run + ")\ntest ! -e $GITHUB_PATH || PATH=$(cat $GITHUB_PATH):$PATH\n"
		}
	}
	return p
}

// goInAction stands for Go: it puts the petconform that this test has in PATH where the action wants it.
const goInAction = `#!/bin/sh
test "$1" = build && test -e "$3/go.mod" || exit 9
while [ "$1" != -o ]; do shift; done
mkdir "$2" && ln -s "$(command -v petconform)" "$2"
`

// onGitLab has the script of the template. As GitLab does, it puts the inputs into the text before that is read as YAML, so
// that several lines of an input would become one: further arguments are in the job's own variable.
func onGitLab(t *testing.T, inputs map[string]string) pipeline {
	var head struct {
		Spec struct {
			Inputs map[string]struct{ Default string }
		}
	}
	var jobs map[string]struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct {
			When    string
			Paths   []string
			Reports struct{ JUnit string }
		}
	}
	text, err := os.ReadFile("../../reports/pipeline/gitlab.yml")
	first, second, _ := strings.Cut(string(text), "\n---\n")
	err = cmp.Or(err, yaml.Unmarshal([]byte(first), &head))
	err = cmp.Or(err, yaml.Unmarshal([]byte(fill(t, second, head.Spec.Inputs, inputs)), &jobs))
	job := jobs["petconform"]
	if err != nil || job.Artifacts.When != "always" || len(job.Artifacts.Paths) != 1 {
		t.Fatalf("%v: one folder should be kept, always", err)
	}
	job.Variables["ARGS"] = inputs["args"]
	p := pipeline{script: strings.Join(append(job.BeforeScript, job.Script...), "\n"), folder: job.Artifacts.Paths[0],
		junit: job.Artifacts.Reports.JUnit, env: []string{"GITLAB_CI=true", "CI=true"}}
	for name, value := range job.Variables {
		p.env = append(p.env, name+"="+value)
	}
	return p
}

// onJenkins has the script of the pipeline in the README of reports.
func onJenkins(t *testing.T, inputs map[string]string) pipeline {
	readme, err := os.ReadFile("../../reports/README.md")
	noError(t, err)
	job := regexp.MustCompile(`(?s) sh '(.+?)'\n.* junit .*?'(.+?)'\n.* archiveArtifacts .*?'(.+?)/\*\*'\n`)
	found := job.FindStringSubmatch(string(readme))
	if found == nil {
		t.Fatal("the README has no pipeline with sh, junit and archiveArtifacts")
	}
	return pipeline{script: found[1], junit: found[2], folder: found[3], env: []string{"STAGING=" + inputs["target"]}}
}

// inputOf matches an input in GitHub's form, and in GitLab's.
var inputOf = regexp.MustCompile(`\$[{\[]{2} inputs\.([a-z]+) [}\]]{2}`)

// fill replaces inputs by what is given for them, or else by their defaults.
func fill(t *testing.T, text string, declared map[string]struct{ Default string }, given map[string]string) string {
	return inputOf.ReplaceAllStringFunc(text, func(in string) string {
		name := inputOf.FindStringSubmatch(in)[1]
		input, ok := declared[name]
		if !ok {
			t.Fatalf("there is no input %s", name)
		}
		if value, ok := given[name]; ok {
			return value
		}
		return input.Default
	})
}

// withPrograms returns a PATH in which these programs come first.
func withPrograms(t *testing.T, programs map[string]string) string {
	bin := t.TempDir()
	for name, text := range programs {
		noError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700))
	}
	return bin + ":" + os.Getenv("PATH")
}

// filesIn lists the files of a folder that does not have to be there, without hidden ones, in alphabetical order.
func filesIn(t *testing.T, dir string) (files []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, f := range all {
		if !strings.HasPrefix(f.Name(), ".") {
			files = append(files, f.Name())
		}
	}
	return files
}

func readYAML(t *testing.T, name string, document any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err = cmp.Or(err, yaml.Unmarshal(data, document)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// inPipeline are the lines of README.md for a pipeline.
var inPipeline = regexp.MustCompile(`(?m)^## In a pipeline\n\n((?:    .*\n)+)`)

// builder stands for Go: it builds the petconform that this test has in PATH.
const builder = `#!/bin/sh
test "$*" = "build -o petconform ./cmd/petconform" && ln -s "$(command -v petconform)" petconform
`

// TestReadmePipeline runs the lines of README.md as a step of GitHub's does, by bash -e: the step ends with petconform's exit
// code, and its summary has that of the run once.
func TestReadmePipeline(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	noError(t, err)
	lines := inPipeline.FindSubmatch(readme)
	if lines == nil {
		t.Fatal("README.md has no lines for a pipeline")
	}
	key := reference.RandomKey("pipeline", spec.Business)
	for name, c := range map[string]struct {
		key, deviation, target string
		code                   int
		says                   string
	}{
		"no key":      {key: "", code: 2, says: "no API key is given"},
		"never ready": {key: key.Secret.Reveal(), target: "http://127.0.0.1:1/v1", code: 3, says: "not ready within 100ms"},
		"deviates":    {key: key.Secret.Reveal(), deviation: "limit-defaults-to-10", code: 1, says: "LIST-5"},
		"conforms":    {key: key.Secret.Reveal(), code: 0, says: "CONFORMS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target, _ := serving(t, reference.Config{Keys: []reference.Key{key}, Deviations: strings.Fields(c.deviation)})
			dir := t.TempDir()
			script := strings.NewReplacer("…", c.key, "60s", "100ms").Replace(string(lines[1]))
			env := append(os.Environ(), "PATH="+withPrograms(t, map[string]string{"go": builder}), "STAGING="+cmp.Or(c.target, target), "NO_COLOR=1",
				"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "step-summary"))
			cmd := command(env, "bash", "-e", "-c", script)
			cmd.Dir = dir
			code, out, errs := ran(cmd)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
			}
			step, err := os.ReadFile(filepath.Join(dir, "step-summary"))
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, errs)
			}
			own, err := os.ReadFile(filepath.Join(dir, "check", "summary.md"))
			if err != nil || string(own) != string(step) || !strings.Contains(string(step), c.says) {
				t.Errorf("%v: the summary of the run once, with %q, is wanted in that of the step:\n%s", err, c.says, step)
			}
		})
	}
}
