package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gh stands for GitHub's command, with a folder in $RELEASE for each release. The published ones have a file published.
// As GitHub's command does, it needs the tag of a release that exists.
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

// onTag runs the scripts of a workflow that a tag v2 starts: those of the job, or the one of these with an id. Programs
// stand for others; release is the folder of the releases. It returns the workspace.
func onTag(t *testing.T, file, job, id, release string, programs map[string]string) string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(t, file, &workflow)
	programs["gh"] = gh
	path := withPrograms(t, programs)
	dir, temp := t.TempDir(), t.TempDir()
	put(t, dir, "cmd/petconform/licenses.txt", nil)
	for _, s := range workflow.Jobs[job].Steps {
		if s.Run == "" || id != "" && s.ID != id {
			continue
		}
		cmd := command(append(os.Environ(), "TAG=v2", "GITHUB_REPOSITORY=owner/service", "RELEASE="+release, "PATH="+path,
			"GITHUB_OUTPUT="+filepath.Join(dir, "output"), "RUNNER_TEMP="+temp), "bash", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir = dir
		if code, out, errs := ran(cmd); code != 0 {
			t.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
	}
	return dir
}

// TestLastRelease: a release is compared with the one published before it, not with its own, a draft, or a tag's.
func TestLastRelease(t *testing.T) {
	for name, c := range map[string]struct{ files, want string }{
		"no release":         {"", ""},
		"its own is there":   {"v2/published v2/bundle.zip v1/published v1/bundle.zip", "v1"},
		"a draft is between": {"v1.5/bundle.zip v1/published v1/bundle.zip", "v1"},
		"without a bundle":   {"v1/published", ""},
	} {
		release := t.TempDir()
		for _, file := range strings.Fields(c.files) {
			put(t, release, file, []byte(filepath.Dir(file)))
		}
		dir := onTag(t, "../../reports/pipeline/release.yml", "signoff", "last", release,
			map[string]string{"unzip": "#!/bin/sh\nmkdir \"$4\" && cp \"$2\" \"$4\"\n"})
		got, _ := os.ReadFile(filepath.Join(dir, "last-release", "bundle.zip"))
		output, _ := os.ReadFile(filepath.Join(dir, "output"))
		if string(got) != c.want || strings.Contains(string(output), "folder=last-release\n") != (c.want != "") {
			t.Errorf("%s: compared with %q; the output is %q; %q is wanted", name, got, output, c.want)
		}
	}
}

// TestReleaseOfPrograms: a tag has programs for five platforms, and their digests. A stand-in for Go writes the files.
func TestReleaseOfPrograms(t *testing.T) {
	release := t.TempDir()
	onTag(t, "../../.github/workflows/release.yml", "programs", "", release,
		map[string]string{"go": "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\necho \"$GOOS/$GOARCH\" >\"$2\"\n"})
	want := []string{"SHA256SUMS", "licenses.txt", "petconform-v2-darwin-amd64", "petconform-v2-darwin-arm64", "petconform-v2-linux-amd64",
		"petconform-v2-linux-arm64", "petconform-v2-windows-amd64.exe"}
	if got := filesIn(t, filepath.Join(release, "v2")); !slices.Equal(got, want) {
		t.Errorf("the release has %q; %q is wanted", got, want)
	}
	check := command(os.Environ(), "sha256sum", "--check", "SHA256SUMS")
	check.Dir = filepath.Join(release, "v2")
	if code, out, errs := ran(check); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
