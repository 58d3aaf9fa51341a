// Package kubernetes has a manifest that distributes a load run over several machines.
package kubernetes

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// job is the part of a batch/v1 Job that keeps a key from being spent twice.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Spec       struct {
		CompletionMode       string  `yaml:"completionMode"`
		Completions          int     `yaml:"completions"`
		Parallelism          int     `yaml:"parallelism"`
		BackoffLimitPerIndex *int    `yaml:"backoffLimitPerIndex"`
		PodReplacementPolicy string  `yaml:"podReplacementPolicy"`
		ActiveDeadline       float64 `yaml:"activeDeadlineSeconds"`
		Template             struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Args []string
					Env  []struct{ Name, Value string }
				}
			}
		}
	}
}

// TestGuardsOfTheJob checks each setting that keeps two pods from spending one key.
func TestGuardsOfTheJob(t *testing.T) {
	manifest, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var j job
	if err := yaml.Unmarshal(manifest, &j); err != nil {
		t.Fatal(err)
	}
	s := j.Spec
	if j.APIVersion != "batch/v1" || j.Kind != "Job" || s.CompletionMode != "Indexed" {
		t.Errorf("an Indexed Job of batch/v1 is wanted: %+v", j)
	}
	if s.BackoffLimitPerIndex == nil || *s.BackoffLimitPerIndex != 0 {
		t.Error("backoffLimitPerIndex 0 is wanted: a pod in another's place would spend its keys again")
	}
	if s.PodReplacementPolicy != "Failed" || s.Template.Spec.RestartPolicy != "Never" {
		t.Error("podReplacementPolicy Failed and restartPolicy Never are wanted")
	}
	if s.ActiveDeadline <= 0 {
		t.Error("activeDeadlineSeconds is wanted")
	}
	if s.Completions != s.Parallelism {
		t.Errorf("all %d shards have to run at the same time, not %d", s.Completions, s.Parallelism)
	}
	args := s.Template.Spec.Containers[0].Args
	if want := fmt.Sprintf("--shard=/%d", s.Completions); !slices.Contains(args, want) {
		t.Errorf("%s is wanted, with as many shards as completions: %q", want, args)
	}
	if strings.Contains(string(manifest), "PETCONFORM_KEY") {
		t.Error("keys come from a mounted Secret, and not from the environment")
	}
}
