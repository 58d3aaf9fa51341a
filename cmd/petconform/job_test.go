package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"petconform/load/kubernetes"
)

// The arguments in the Kubernetes Job are the command line's: a flag that is renamed here must be renamed there.
func TestTheJobsArguments(t *testing.T) {
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct{ Args []string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(kubernetes.Job, &job); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, []byte("Free key-number-one\nPro key-number-two\nFree key-number-three\nFree key-number-four\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := strings.NewReplacer("$(PETCONFORM_TARGET)", "http://127.0.0.1:9/v1", "$(JOB_COMPLETION_INDEX)", "1", "/keys/keys", keys, "/out/", dir+"/")
	var args []string
	for _, arg := range job.Spec.Template.Spec.Containers[0].Args {
		args = append(args, in.Replace(arg))
	}
	t.Setenv("JOB_COMPLETION_INDEX", "1")
	var out, errs bytes.Buffer
	if code := run(context.Background(), append(args, "--dry-run"), streams{&out, &errs}); code != 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, errs.String())
	}
	if !strings.Contains(errs.String(), "Pro, line 2") || strings.Contains(errs.String(), "line 1:") {
		t.Errorf("pod 1 has the second key and no other:\n%s", errs.String())
	}
}
