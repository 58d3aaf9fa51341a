package load

import (
	"fmt"
	"strconv"
	"strings"
)

// indexVariables are the environment variables with the index, from 0, of a process in a Kubernetes Indexed Job, a
// Slurm array or an AWS Batch array.
var indexVariables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

// ParseShard parses --shard: "i/n" with i from 0, or "/n" or "n" with i from one of indexVariables. It returns 0 and 0
// for "", which means one process, whatever the variables are. It returns an error if there is no index, or one that is
// not below n.
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
