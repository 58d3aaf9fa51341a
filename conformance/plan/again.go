package plan

import (
	"fmt"
	"regexp"
)

// Again is the step of a read that is sent once more, for the n-th time.
func Again(step string, n int) string { return fmt.Sprintf("%s, again %d", Asked(step), n) }

// Asked is the step of a read as it was sent first.
func Asked(step string) string { return again.ReplaceAllString(step, "") }

var again = regexp.MustCompile(`, again [0-9]+$`)
