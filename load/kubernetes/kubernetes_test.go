// Package kubernetes has a manifest that distributes a load run over several machines.
package kubernetes

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGuardsOfTheJob checks each setting that keeps two pods from spending one key.
func TestGuardsOfTheJob(t *testing.T) {
	manifest, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shards := regexp.MustCompile(`--shard=\$\(JOB_COMPLETION_INDEX\)/(\d+)`).FindStringSubmatch(string(manifest))
	if shards == nil {
		t.Fatal("--shard=$(JOB_COMPLETION_INDEX)/N is wanted")
	}
	for _, want := range []string{"apiVersion: batch/v1", "kind: Job", "completionMode: Indexed", // a shard is an index
		"backoffLimitPerIndex: 0", "podReplacementPolicy: Failed", "restartPolicy: Never", // no pod spends another's keys again
		"completions: " + shards[1], "parallelism: " + shards[1], "activeDeadlineSeconds: "} { // all run at the same time, and end
		if !regexp.MustCompile(`(?m)^\s*` + want).Match(manifest) {
			t.Errorf("%s is wanted", want)
		}
	}
	if strings.Contains(string(manifest), "PETCONFORM_KEY") {
		t.Error("keys come from a mounted Secret, and not from the environment")
	}
}
