package main

import (
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference"
)

// workflow runs the job of one of the workflows to copy. Loads get the further arguments args.
func (r *runner) workflow(name, job, args string) (code int) {
	r.t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(r.t, filepath.Join("../../reports/pipeline", name), &w)
	r.outputs, r.uploaded = map[string]map[string]string{}, map[string][]string{}
	for _, s := range w.Jobs[job].Steps {
		if !r.due(s.If, code) || strings.HasPrefix(s.Uses, "actions/checkout@") {
			continue
		}
		var c int
		if strings.HasPrefix(s.Uses, "OWNER/petconform/.github/actions/petconform@") {
			c = r.ours(s, args)
		} else {
			s.Shell = "bash"
			c = r.step(s)
		}
		if code == 0 {
			code = c
		}
	}
	return code
}

// ours runs petconform's own action.
func (r *runner) ours(s step, args string) int {
	inner := runner{t: r.t, dir: r.dir, env: slices.Clone(r.env)}
	for name, value := range s.Env {
		inner.env = append(inner.env, name+"="+r.fill(value))
	}
	with := map[string]string{}
	for name, value := range s.With {
		with[name] = r.fill(value)
	}
	if with["command"] != "" { // check knows no --minute
		with["args"] += "\n" + args
	}
	code := inner.action(with)
	r.log.WriteString(inner.log.String())
	maps.Copy(r.uploaded, inner.uploaded)
	return code
}

// gh stands for GitHub's command, with the folder $RELEASE in the place of the last release.
const gh = `#!/bin/sh
case "$1 $2" in
"release download") cp "$RELEASE/$6" . ;;
"release upload") cp "$4" "$RELEASE" ;;
*) exit 9 ;;
esac
`

// TestWorkflows runs the workflows to copy as they stand, against a reference service whose minute lasts 2 s. They wait for half a
// minute, so .ci/pipelines asks for them.
func TestWorkflows(t *testing.T) {
	if os.Getenv("PETCONFORM_WORKFLOWS") == "" {
		t.Skip("PETCONFORM_WORKFLOWS=1 runs the workflows to copy, in half a minute")
	}
	for name, c := range map[string]struct {
		job     string
		folders []string
		files   []string
	}{
		"pull-request.yml": {"interface", []string{"petconform-check", "petconform-load"}, []string{"report.html", "junit.xml"}},
		"release.yml":      {"signoff", []string{"petconform-out"}, []string{"report.html", "junit.xml", "bundle.zip", "load-recording.jsonl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runner{t: t, dir: filepath.Join(t.TempDir(), "workspace"), contexts: map[string]string{"github.token": "none", "github.event.release.tag_name": "v2"}}
			r.env = append(os.Environ(), "NO_COLOR=1", "GITHUB_REPOSITORY=owner/service", "RELEASE="+r.file("release"), "PATH="+r.file("bin")+":"+os.Getenv("PATH"))
			for _, dir := range []string{r.dir, r.file("release"), r.file("bin")} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for file, text := range map[string]string{filepath.Join(r.dir, "waivers.yaml"): "waivers: []\n", filepath.Join(r.file("bin"), "gh"): gh} {
				if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r.serve()
			if code := r.workflow(name, c.job, "--minute=2s"); code != 0 {
				t.Fatalf("exit code %d\n%s", code, r.log.String())
			}
			for _, folder := range c.folders {
				for _, file := range c.files {
					if !slices.Contains(r.uploaded[folder], file) {
						t.Errorf("%s of %s was not kept: %q", file, folder, r.uploaded)
					}
				}
			}
			if released := filesIn(t, r.file("release")); slices.Contains(c.files, "bundle.zip") != slices.Contains(released, "bundle.zip") {
				t.Errorf("kept with the release: %q", released)
			}
		})
	}
}

// serve starts a reference service for vars.STAGING and the secrets.
func (r *runner) serve() {
	r.t.Helper()
	var keys []reference.Key
	for secret, plan := range map[string]spec.Plan{"": spec.Business, "_FREE": spec.Free, "_PRO": spec.Pro, "_OTHER": spec.Free} {
		key := reference.RandomKey("workflow"+secret, plan)
		keys = append(keys, key)
		r.contexts["secrets.PETCONFORM_KEY"+secret] = key.Secret.Reveal()
	}
	service, err := reference.New(reference.Config{Keys: keys, Minute: 2 * time.Second})
	if err != nil {
		r.t.Fatal(err)
	}
	server := httptest.NewServer(service)
	r.t.Cleanup(server.Close)
	r.contexts["vars.STAGING"] = server.URL + "/v1"
}
