package load

import (
	"fmt"
	"strconv"
	"strings"
)

// indexVariables have the index, from 0, of one of several processes: of a Kubernetes Indexed Job, a Slurm array or an AWS Batch array.
var indexVariables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

// ParseShard reads --shard: "i/n" with i from 0, or "/n" (or "n"), with i from the engine's variable. Empty means that there is one
// process only, whatever the variables say.
func ParseShard(text string, getenv func(string) string) (i, n int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	index, count, both := strings.Cut(text, "/")
	if !both {
		index, count = "", text
	}
	if n, err = strconv.Atoi(count); err != nil || n < 1 {
		return 0, 0, fmt.Errorf("--shard %q: write INDEX/COUNT, like 0/4", text)
	}
	from := "--shard"
	for _, name := range indexVariables {
		if v := getenv(name); index == "" && v != "" {
			index, from = v, name
		}
	}
	if index == "" {
		return 0, 0, fmt.Errorf("--shard %q names no index, and none of %s is set", text, strings.Join(indexVariables, ", "))
	}
	if i, err = strconv.Atoi(index); err != nil || i < 0 || i >= n {
		return 0, 0, fmt.Errorf("the shard's index %q (%s): use a number from 0 to %d", index, from, n-1)
	}
	return i, n, nil
}
