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
						Image string
						Args  []string
					}
				}
			}
		}
	}
	manifest, err := os.ReadFile("../../load/kubernetes/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(manifest, &job); err != nil {
		t.Fatal(err)
	}
	image := "petconform:" + version
	if got := job.Spec.Template.Spec.Containers[0].Image; got != image {
		t.Errorf("the Job runs the image %s, want %s", got, image)
	}
	for _, name := range []string{"Containerfile", "../../README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "-t "+image+" -f cmd/petconform/Containerfile .") {
			t.Errorf("%s does not say how to build %s", name, image)
		}
	}
	dir := t.TempDir()
	keys := written(t, "keys", []byte("Free key-number-one\nPro key-number-two\nFree key-number-three\nFree key-number-four\n"))
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

func TestBuildInformation(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	settings := func(pairs ...string) *debug.BuildInfo {
		var info debug.BuildInfo
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return &info
	}
	goAndPlatform := ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for name, c := range map[string]struct {
		commit     string // as -ldflags sets it
		info       *debug.BuildInfo
		line, tool string
	}{
		"from git": {"", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "false"),
			"petconform " + version + ", commit " + hash + ", 2026-01-02T03:04:05Z", "petconform/" + version + "+0123456789ab"},
		"with changes": {"", settings("vcs.revision", hash, "vcs.modified", "true"),
			"petconform " + version + ", commit " + hash + " with changes", "petconform/" + version + "+0123456789ab.changed"},
		"set by the build": {"v1", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"),
			"petconform " + version + ", commit v1", "petconform/" + version + "+v1"},
		"outside of git":       {"", settings(), "petconform " + version, "petconform/" + version},
		"no build information": {"", nil, "petconform " + version, "petconform/" + version},
	} {
		commit = c.commit
		if line, tool := buildOf(c.info); line != c.line+goAndPlatform || tool != c.tool {
			t.Errorf("%s: version says\n%s\nwant\n%s\na report says %s, want %s", name, line, c.line+goAndPlatform, tool, c.tool)
		}
		commit = ""
	}
}
