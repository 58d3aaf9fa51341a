package main

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

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
