package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference"
)

// workflow runs the job of one of the workflows to copy. Loads get the further arguments args.
func (r *runner) workflow(file, job, args string) (code int) {
	r.t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(r.t, file, &w)
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

// gh stands for GitHub's command, with a folder in $RELEASE for each release. The published ones have a file published. As GitHub's
// command does, it needs the tag of a release that exists, and without a tag it downloads from the newest.
const gh = `#!/bin/sh
cd "$RELEASE" || exit 9
case "$1 $2" in
"release list") ls -r -- */published | cut -d/ -f1 ;;
"release view") test -d "$3" ;;
"release create") mkdir "$3" ;;
"release download") cp "$3/$7" "$OLDPWD" ;;
"release upload") cd "$OLDPWD" && tag=$3 && shift 3 && while [ "$1" != --repo ]; do cp "$1" "$RELEASE/$tag"; shift; done ;;
*) exit 9 ;;
esac
`

// inWorkspace returns a runner whose workspace and programs have these files; gh is there.
func inWorkspace(t *testing.T, files map[string]string) *runner {
	t.Helper()
	r := &runner{t: t, dir: filepath.Join(t.TempDir(), "workspace"), contexts: map[string]string{"github.token": "none", "github.ref_name": "v2"},
		outputs: map[string]map[string]string{}}
	r.env = append(os.Environ(), "NO_COLOR=1", "GITHUB_REPOSITORY=owner/service", "RELEASE="+r.file("release"), "PATH="+r.file("bin")+":"+os.Getenv("PATH"))
	for name, text := range files {
		r.write(name, text)
	}
	r.write("bin/gh", gh)
	r.write("release/none", "")
	return r
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	file := r.file(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
		r.t.Fatal(err)
	}
}

// TestLastRelease: a release is compared with the one published before it, not with its own, a draft, or a tag's.
func TestLastRelease(t *testing.T) {
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(t, "../../reports/pipeline/release.yml", &w)
	for name, c := range map[string]struct{ files, want string }{
		"no release":         {"", ""},
		"its own is there":   {"v2/published v2/bundle.zip v1/published v1/bundle.zip", "v1"},
		"a draft is between": {"v1.5/bundle.zip v1/published v1/bundle.zip", "v1"},
		"without a bundle":   {"v1/published", ""},
	} {
		r := inWorkspace(t, map[string]string{"workspace/waivers.yaml": "", "bin/unzip": "#!/bin/sh\nmkdir \"$4\" && cp \"$2\" \"$4\"\n"})
		for _, file := range strings.Fields(c.files) {
			r.write("release/"+file, strings.Split(file, "/")[0])
		}
		for _, s := range w.Jobs["signoff"].Steps {
			if s.Shell = "bash"; s.ID == "last" && r.step(s) != 0 {
				t.Errorf("%s: %s", name, r.log.String())
			}
		}
		got, _ := os.ReadFile(filepath.Join(r.dir, "last-release", "bundle.zip"))
		if folder := r.outputs["last"]["folder"]; string(got) != c.want || (folder == "last-release") != (c.want != "") {
			t.Errorf("%s: compared with %q in %q; %q is wanted\n%s", name, got, folder, c.want, r.log.String())
		}
	}
}

// TestWorkflows runs the workflows to copy as they stand, against a reference service whose minute lasts 2 s. They wait for half a
// minute, so .ci/pipelines asks for them.
func TestWorkflows(t *testing.T) {
	if os.Getenv("PETCONFORM_WORKFLOWS") == "" {
		t.Skip("PETCONFORM_WORKFLOWS=1 runs the workflows to copy, in half a minute")
	}
	for job, c := range map[string]struct {
		file, folders, files string
	}{
		"interface": {"pull-request.yml", "petconform-check petconform-load", "report.html junit.xml"},
		"fork":      {"pull-request.yml", "petconform-check", "report.html junit.xml"},
		"signoff":   {"release.yml", "petconform-out", "report.html junit.xml bundle.zip load-recording.jsonl"},
	} {
		t.Run(job, func(t *testing.T) {
			t.Parallel()
			r := inWorkspace(t, map[string]string{"workspace/waivers.yaml": "[]\n", "workspace/start-service": startService})
			var keys []reference.Key
			for secret, plan := range map[string]spec.Plan{"": spec.Business, "_FREE": spec.Free, "_PRO": spec.Pro, "_OTHER": spec.Free} {
				key := reference.RandomKey("workflow"+secret, plan)
				keys = append(keys, key)
				r.contexts["secrets.PETCONFORM_KEY"+secret] = key.Secret.Reveal()
			}
			r.contexts["vars.STAGING"], _ = serving(t, reference.Config{Keys: keys, Minute: 2 * time.Second})
			code := r.workflow(filepath.Join("../../reports/pipeline", c.file), job, "--minute=2s")
			r.endService()
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, r.log.String())
			}
			for _, folder := range strings.Fields(c.folders) {
				for _, file := range strings.Fields(c.files) {
					if !slices.Contains(r.uploaded[folder], file) {
						t.Errorf("%s of %s was not kept: %q", file, folder, r.uploaded)
					}
				}
			}
			if released := filesIn(t, r.file("release")); (job == "signoff") != slices.Contains(released, "v2/bundle.zip") {
				t.Errorf("kept with the release: %q", released)
			}
		})
	}
}

// startService stands for the command that starts the service of a pull request.
const startService = `#!/bin/sh
echo $$ >service.pid
PETCONFORM_KEY=$SERVICE_KEY exec petconform serve --listen "$1" --log off
`

// endService ends what startService started. On GitHub that ends with its job.
func (r *runner) endService() {
	data, err := os.ReadFile(filepath.Join(r.dir, "service.pid"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// goBuild stands for go build: it writes the platform into the file of -o.
const goBuild = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo "$GOOS/$GOARCH" >"$2"
`

// TestReleaseOfPrograms: a tag has programs for five platforms, with their digests. Nothing is built here.
func TestReleaseOfPrograms(t *testing.T) {
	r := inWorkspace(t, map[string]string{"workspace/go.mod": "", "workspace/cmd/petconform/licenses.txt": "", "bin/go": goBuild})
	workflow, err := filepath.Abs("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(r.dir) // setup-go reads go.mod there
	if code := r.workflow(workflow, "programs", ""); code != 0 {
		t.Fatalf("exit code %d\n%s", code, r.log.String())
	}
	want := []string{"none", "v2/SHA256SUMS", "v2/licenses.txt"}
	for _, name := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64.exe"} {
		want = append(want, "v2/petconform-v2-"+name)
	}
	if got := filesIn(t, r.file("release")); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the release has %q; %q is wanted", got, want)
	}
	verified := exec.Command("sha256sum", "--check", "SHA256SUMS")
	verified.Dir = r.file("release/v2")
	if code, out, errs := ran(verified); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
