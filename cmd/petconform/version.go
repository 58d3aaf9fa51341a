package main

import (
	"runtime/debug"
	"strings"
)

// version is the version of petconform. A build may set another with -ldflags "-X main.version=…".
var version = "0.1.0"

// tool returns "petconform/" with the version and, if the build has it, the commit.
func tool() string {
	name := "petconform/" + version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			name += "+" + strings.ToLower(s.Value[:12])
		}
	}
	return name
}
