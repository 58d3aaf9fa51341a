package main

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
)

// pipelineCase is a run of the action or a template: what it is given, and what the pipeline has of it afterwards.
type pipelineCase struct {
	name       string
	deviations []string
	inputs     map[string]string // beside the target, if it is not among them
	code       int
	annotation string // the first ::error; "" wants none
	summary    string
	folder     string // the folder that is kept; "" wants none
}

var pipelineCases = []pipelineCase{
	{"green", nil, nil, 0, "", "CONFORMS", "petconform-out"},
	{"red", []string{"auth-basic-accepted"}, map[string]string{"args": "--concurrency=4\n--build=1.2 of today\n", "out": "runs/red"}, 1, "::error title=DEVIATES", "1.2 of today", "runs/red"},
	{"a part", nil, map[string]string{"args": "--only=LIST-5"}, 3, "::error title=PART HOLDS", "PART", "petconform-out"},
	{"wrong usage", nil, map[string]string{"plan": "Free"}, 2, "::error title=petconform wrote no report::Exit code 2", "", ""},
	{"no target", nil, map[string]string{"target": ""}, 2, "::error title=petconform wrote no report::Exit code 2", "", ""},
}

// artefacts are what a kept folder has at least.
var artefacts = []string{"report.html", "results.json", "release.json", "junit.xml", "summary.md", "recording.jsonl"}

// eachPipeline runs the cases of these names, or all, each with the inputs and the key of a reference service.
func eachPipeline(t *testing.T, names []string, run func(t *testing.T, c pipelineCase, dir string, inputs map[string]string, key string)) {
	for _, c := range pipelineCases {
		if names != nil && !slices.Contains(names, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			target, key := serving(t, reference.Config{Deviations: c.deviations})
			inputs := map[string]string{"target": target}
			maps.Copy(inputs, c.inputs)
			dir := filepath.Join(t.TempDir(), "workspace")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			run(t, c, dir, inputs, key)
		})
	}
}

func wantArtefacts(t *testing.T, kept []string, wanted bool) {
	t.Helper()
	if !wanted {
		if len(kept) > 0 {
			t.Errorf("nothing should be kept, but these were: %q", kept)
		}
		return
	}
	t.Logf("kept: %s", strings.Join(kept, " "))
	for _, name := range artefacts {
		if !slices.Contains(kept, name) {
			t.Errorf("%s was not kept: %q", name, kept)
		}
	}
}

// TestAction runs the steps of GitHub's composite action as they stand. PETCONFORM_BUILD=1 takes petconform out of PATH, so that the
// action builds it.
func TestAction(t *testing.T) {
	eachPipeline(t, nil, func(t *testing.T, c pipelineCase, dir string, inputs map[string]string, key string) {
		r := runner{t: t, dir: dir, env: append(os.Environ(), "PETCONFORM_KEY="+key, "NO_COLOR=1")}
		if os.Getenv("PETCONFORM_BUILD") != "" {
			own, _ := exec.LookPath("petconform")
			r.env = append(r.env, "PATH="+strings.TrimPrefix(os.Getenv("PATH"), filepath.Dir(own)+":"))
		}
		code := r.action(inputs)
		if code != c.code {
			t.Fatalf("exit code %d, want %d\n%s", code, c.code, r.log.String())
		}
		if got := r.outputs["run"]["exit-code"]; got != strconv.Itoa(c.code) {
			t.Errorf("the output exit-code is %q, want %d", got, c.code)
		}
		first := ""
		for line := range strings.Lines(r.stdout.String()) {
			if first == "" && strings.HasPrefix(line, "::error") {
				first = line
			}
		}
		if !strings.HasPrefix(first, c.annotation) || (first == "") != (c.annotation == "") {
			t.Errorf("the first error is %q, want %q", first, c.annotation)
		}
		if summary := taken(r.file("summary")); !strings.Contains(summary, c.summary) || (summary == "") != (c.summary == "") {
			t.Errorf("the step's summary has no %q:\n%s", c.summary, summary)
		}
		wantArtefacts(t, r.uploaded[filepath.Base(c.folder)], c.folder != "")
		t.Logf("uploaded: %q", r.uploaded)
	})
}

// TestGitLab runs the scripts of GitLab's template as they stand.
func TestGitLab(t *testing.T) {
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
	readYAML(t, "../../reports/pipeline/gitlab.yml", &head, &jobs)
	job := jobs["$[[ inputs.job ]]"]
	input := regexp.MustCompile(`\$\[\[ inputs\.([a-z]+) \]\]`)
	eachPipeline(t, nil, func(t *testing.T, c pipelineCase, dir string, inputs map[string]string, key string) {
		fill := func(text string) string {
			return input.ReplaceAllStringFunc(text, func(in string) string {
				name := input.FindStringSubmatch(in)[1]
				declared, ok := head.Spec.Inputs[name]
				if !ok {
					t.Fatalf("the template has no input %s", name)
				}
				if given, ok := inputs[name]; ok {
					return given
				}
				return declared.Default
			})
		}
		env := []string{"GITLAB_CI=true", "CI=true"}
		for name, value := range job.Variables {
			env = append(env, name+"="+fill(value))
		}
		if job.Artifacts.When != "always" || len(job.Artifacts.Paths) != 1 {
			t.Fatal("one folder should be kept, always")
		}
		c.script(t, dir, append(env, "PETCONFORM_KEY="+key), "-ec", strings.Join(append(job.BeforeScript, job.Script...), "\n"),
			fill(job.Artifacts.Paths[0]), fill(job.Artifacts.Reports.JUnit))
	})
}

// script runs the script of a job by sh, and looks for its exit code and what it keeps. The workspace has the green report of
// an earlier run.
func (c pipelineCase) script(t *testing.T, dir string, env []string, flags, script, folder, junit string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{junit, filepath.Join(folder, "report.html")} {
		put(t, dir, name, []byte("green"))
	}
	cmd := command(append(append(os.Environ(), "NO_COLOR=1"), env...), "sh", flags, script)
	cmd.Dir = dir
	if code, out, errs := ran(cmd); code != c.code {
		t.Fatalf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
	}
	wantArtefacts(t, filesIn(t, filepath.Join(dir, folder)), c.folder != "")
	if _, err := os.Stat(filepath.Join(dir, junit)); (err == nil) != (c.folder != "") {
		t.Errorf("junit.xml: %v", err)
	}
}

// TestJenkins runs the script of the pipeline in the README of reports as it stands.
func TestJenkins(t *testing.T) {
	readme, err := os.ReadFile("../../reports/README.md")
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile(`(?m)^ +sh '(.+)'$`).FindSubmatch(readme)
	junit := regexp.MustCompile(`(?m)^ +junit .*'(.+)'$`).FindSubmatch(readme)
	archive := regexp.MustCompile(`(?m)^ +archiveArtifacts .*'(.+)/\*\*'$`).FindSubmatch(readme)
	if script == nil || junit == nil || archive == nil {
		t.Fatal("the README has no pipeline with sh, junit and archiveArtifacts")
	}
	eachPipeline(t, []string{"green", "red", "no target"}, func(t *testing.T, c pipelineCase, dir string, inputs map[string]string, key string) {
		c.script(t, dir, []string{"PETCONFORM_KEY=" + key, "STAGING=" + inputs["target"]}, "-xec", string(script[1]), string(archive[1]), string(junit[1]))
	})
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
	if err != nil {
		t.Fatal(err)
	}
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
			dir, bin := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "go"), []byte(builder), 0o700); err != nil {
				t.Fatal(err)
			}
			script := strings.NewReplacer("…", c.key, "60s", "100ms").Replace(string(lines[1]))
			env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "STAGING="+cmp.Or(c.target, target), "NO_COLOR=1",
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
