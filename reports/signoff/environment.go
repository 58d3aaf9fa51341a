package signoff

import (
	"os"
	"slices"
	"strings"
)

// environment is this process's environment without API keys, for the tools that sign.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PETCONFORM_KEY") })
}
