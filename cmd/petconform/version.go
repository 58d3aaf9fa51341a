package main

import (
	"runtime/debug"
	"strings"
)

// version is petconform's own; -ldflags "-X main.version=…" sets another.
var version = "0.1.0"

// tool names petconform with its version and, where the build knows it, its commit.
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
