package main

import (
	"errors"
	"maps"
	"net/http/httptest"
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

// source is the top of the repository.
var source, _ = filepath.Abs("../..")

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

// TestLastRelease: a release is compared with the one published before it, not with its own, a draft, or a tag's.
func TestLastRelease(t *testing.T) {
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(t, "../../reports/pipeline/release.yml", &w)
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"no release":         {nil, ""},
		"its own is there":   {[]string{"v2/published", "v2/bundle.zip", "v1/published", "v1/bundle.zip"}, "v1"},
		"a draft is between": {[]string{"v1.5/bundle.zip", "v1/published", "v1/bundle.zip"}, "v1"},
		"without a bundle":   {[]string{"v1/published"}, ""},
	} {
		r := runner{t: t, dir: filepath.Join(t.TempDir(), "workspace"), contexts: map[string]string{"github.token": "none", "github.ref_name": "v2"}, outputs: map[string]map[string]string{}}
		r.env = append(os.Environ(), "GITHUB_REPOSITORY=owner/service", "RELEASE="+r.file("release"), "PATH="+r.file("bin")+":"+os.Getenv("PATH"))
		write := func(file, text string) {
			err := os.MkdirAll(filepath.Dir(file), 0o700)
			if err == nil {
				err = os.WriteFile(file, []byte(text), 0o700)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Join(r.dir, "waivers.yaml"), "")
		write(filepath.Join(r.file("release"), "none"), "")
		write(filepath.Join(r.file("bin"), "gh"), gh)
		write(filepath.Join(r.file("bin"), "unzip"), "#!/bin/sh\nmkdir \"$4\" && cp \"$2\" \"$4\"\n")
		for _, file := range c.files {
			write(filepath.Join(r.file("release"), file), strings.Split(file, "/")[0])
		}
		for _, s := range w.Jobs["signoff"].Steps {
			if s.ID != "last" {
				continue
			}
			s.Shell = "bash"
			if code := r.step(s); code != 0 {
				t.Errorf("%s: exit code %d\n%s", name, code, r.log.String())
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
	for _, c := range []struct {
		name, job string
		folders   []string
		files     []string
	}{
		{"pull-request.yml", "interface", []string{"petconform-check", "petconform-load"}, []string{"report.html", "junit.xml"}},
		{"pull-request.yml", "fork", []string{"petconform-check"}, []string{"report.html", "junit.xml"}},
		{"release.yml", "signoff", []string{"petconform-out"}, []string{"report.html", "junit.xml", "bundle.zip", "load-recording.jsonl"}},
	} {
		t.Run(c.job, func(t *testing.T) {
			t.Parallel()
			r := runner{t: t, dir: filepath.Join(t.TempDir(), "workspace"), contexts: map[string]string{"github.token": "none", "github.ref_name": "v2"}}
			r.env = append(os.Environ(), "NO_COLOR=1", "GITHUB_REPOSITORY=owner/service", "RELEASE="+r.file("release"), "PATH="+r.file("bin")+":"+os.Getenv("PATH"))
			for _, dir := range []string{r.dir, r.file("release"), r.file("bin")} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for file, text := range map[string]string{filepath.Join(r.dir, "waivers.yaml"): "[]\n", filepath.Join(r.file("bin"), "gh"): gh,
				filepath.Join(r.dir, "start-service"): startService} {
				if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r.serve()
			code := r.workflow(filepath.Join("../../reports/pipeline", c.name), c.job, "--minute=2s")
			r.endService()
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, r.log.String())
			}
			for _, folder := range c.folders {
				for _, file := range c.files {
					if !slices.Contains(r.uploaded[folder], file) {
						t.Errorf("%s of %s was not kept: %q", file, folder, r.uploaded)
					}
				}
			}
			if released := filesIn(t, r.file("release")); slices.Contains(c.files, "bundle.zip") != slices.Contains(released, "v2/bundle.zip") {
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
	r := runner{t: t, dir: filepath.Join(t.TempDir(), "workspace"), contexts: map[string]string{"github.token": "none", "github.ref_name": "v2"}}
	r.env = append(os.Environ(), "GITHUB_REPOSITORY=owner/petconform", "RELEASE="+r.file("release"), "PATH="+r.file("bin")+":"+os.Getenv("PATH"))
	for name, text := range map[string]string{"workspace/go.mod": "", "workspace/cmd/petconform/licenses.txt": "", "release/none": "", "bin/gh": gh, "bin/go": goBuild} {
		file := r.file(name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(r.dir) // setup-go reads go.mod there
	if code := r.workflow(filepath.Join(source, ".github/workflows/release.yml"), "programs", ""); code != 0 {
		t.Fatalf("exit code %d\n%s", code, r.log.String())
	}
	var want []string
	for _, name := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64.exe"} {
		want = append(want, "v2/petconform-v2-"+name)
	}
	got := filesIn(t, r.file("release"))
	if want = append(want, "none", "v2/SHA256SUMS", "v2/licenses.txt"); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the release has %q; %q is wanted", got, want)
	}
	verified := exec.Command("sha256sum", "--check", "SHA256SUMS")
	verified.Dir = r.file("release/v2")
	if out, err := verified.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
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
