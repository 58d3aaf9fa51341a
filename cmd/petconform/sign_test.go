package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"petconform/reports"
)

// signLine and signerLine are the lines of README.md by which people sign and verify, and those of the file of signers.
var (
	signLine   = regexp.MustCompile(`(?m)^    (ssh-keygen -Y sign|petconform verify) .*$`)
	signerLine = regexp.MustCompile(`(?m)^    (\w+)@\S+ +namespaces=.*$`)
)

// signs runs README.md's lines on the bundle in a folder, by bash, as two people with a key each: signs FOLDER. It wants
// the last one to exit with 0 and to name both.
func signs(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile("../../README.md")
	ts.Check(err)
	lines, listed := signLine.FindAllString(string(text), -1), signerLine.FindAllStringSubmatch(string(text), -1)
	if len(lines) != 3 || len(listed) != 2 {
		ts.Fatalf("README.md has %d lines that sign and verify, and %d signers; 3 and 2 are wanted", len(lines), len(listed))
	}
	var homes []string
	var signers strings.Builder
	for _, l := range listed {
		home := ts.MkAbs(l[1])
		ts.Check(os.MkdirAll(filepath.Join(home, ".ssh"), 0o700))
		key := filepath.Join(home, ".ssh", "id_ed25519")
		ts.Check(ts.Exec("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key))
		fmt.Fprintln(&signers, strings.Replace(strings.TrimSpace(l[0]), "ssh-ed25519 AAAA…", ts.ReadFile(key+".pub"), 1))
		homes = append(homes, home)
	}
	ts.Check(os.WriteFile(ts.MkAbs("signers"), []byte(signers.String()), 0o600))
	run, err := reports.Opening{}.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	for i, line := range lines {
		line = strings.NewReplacer("petconform-out/", args[0]+"/", "--target URL", "--target "+run.Results.Target.URL).Replace(line)
		cmd := exec.Command("bash", "-c", "set -o pipefail\n"+line)
		cmd.Dir, cmd.Env = ts.MkAbs("."), append(os.Environ(), "PATH="+ts.Getenv("PATH"), "HOME="+homes[min(i, 1)])
		out, err := cmd.CombinedOutput()
		ts.Logf("$ %s\n%s", line, out)
		ts.Check(err)
		if i == 2 && !strings.Contains(string(out), "Prepared by ada@example.org, approved by noor@example.org.") {
			ts.Fatalf("both signers are wanted")
		}
	}
}

// The Kubernetes Job runs the image that the Containerfile and the README make, and its arguments are the command line's: a flag that
// is renamed here must be renamed there.
func TestTheJobsArguments(t *testing.T) {
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Args []string
					}
				}
			}
		}
	}
	manifest, err := os.ReadFile("../../load/kubernetes/job.yaml")
	noError(t, err)
	noError(t, yaml.Unmarshal(manifest, &job))
	image := "petconform:" + version
	build := "-t " + image + " -f cmd/petconform/Containerfile ."
	for name, wants := range map[string]string{"../../load/kubernetes/job.yaml": "image: " + image + " ",
		"Containerfile": build, "../../README.md": build} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), wants) {
			t.Errorf("%s does not name the image, with %q (%v)", name, wants, err)
		}
	}
	dir := t.TempDir()
	keys := put(t, t.TempDir(), "keys", []byte("Free key-number-one\nPro key-number-two\nFree key-number-three\nFree key-number-four\n"))
	in := strings.NewReplacer("$(PETCONFORM_TARGET)", "http://127.0.0.1:9/v1", "$(JOB_COMPLETION_INDEX)", "1", "/keys/keys", keys, "/out/", dir+"/")
	var args []string
	for _, arg := range job.Spec.Template.Spec.Containers[0].Args {
		args = append(args, in.Replace(arg))
	}
	t.Setenv("JOB_COMPLETION_INDEX", "1")
	code, said := commanded(t, append(args, "--dry-run")...)
	if code != 0 || !strings.Contains(said, "Pro, line 2") || strings.Contains(said, "line 1:") {
		t.Errorf("%q: exit code %d; pod 1 has the second key and no other:\n%s", args, code, said)
	}
}

// TestBuildInformation: version names the commit, its date and whether sources were changed; a build may set the commit.
func TestBuildInformation(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	built := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: hash}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
		{Key: "vcs.modified", Value: "true"}}}
	for name, c := range map[string]struct {
		commit     string // as -ldflags sets it
		info       *debug.BuildInfo
		line, tool string
	}{
		"from git":             {"", built, ", commit " + hash + " with changes, 2026-01-02T03:04:05Z", "+0123456789ab.changed"},
		"set by the build":     {"v1", built, ", commit v1", "+v1"},
		"no build information": {"", nil, "", ""},
	} {
		commit = c.commit
		line, tool := buildOf(c.info)
		commit = ""
		if line != "petconform "+version+c.line+", "+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH || tool != "petconform/"+version+c.tool {
			t.Errorf("%s: version says %q, and a report %q", name, line, tool)
		}
	}
}
