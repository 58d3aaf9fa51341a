package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestBuildInformation(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	settings := func(pairs ...string) *debug.BuildInfo {
		var info debug.BuildInfo
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return &info
	}
	goAndPlatform := ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for name, c := range map[string]struct {
		commit     string // as -ldflags sets it
		info       *debug.BuildInfo
		line, tool string
	}{
		"from git": {"", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "false"),
			"petconform " + version + ", commit " + hash + ", 2026-01-02T03:04:05Z", "petconform/" + version + "+0123456789ab"},
		"with changes": {"", settings("vcs.revision", hash, "vcs.modified", "true"),
			"petconform " + version + ", commit " + hash + " with changes", "petconform/" + version + "+0123456789ab.changed"},
		"set by the build": {"v1", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"),
			"petconform " + version + ", commit v1", "petconform/" + version + "+v1"},
		"outside of git":       {"", settings(), "petconform " + version, "petconform/" + version},
		"no build information": {"", nil, "petconform " + version, "petconform/" + version},
	} {
		commit = c.commit
		if line, tool := buildOf(c.info); line != c.line+goAndPlatform || tool != c.tool {
			t.Errorf("%s: version says\n%s\nwant\n%s\na report says %s, want %s", name, line, c.line+goAndPlatform, tool, c.tool)
		}
		commit = ""
	}
}
