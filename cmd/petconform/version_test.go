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
		commit, date string // as -ldflags sets them
		info         *debug.BuildInfo
		line, tool   string
	}{
		"from git": {"", "", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "false"),
			"petconform " + version + ", commit " + hash + ", 2026-01-02T03:04:05Z", "petconform/" + version + "+0123456789ab"},
		"with changes": {"", "", settings("vcs.revision", hash, "vcs.modified", "true"),
			"petconform " + version + ", commit " + hash + " with changes", "petconform/" + version + "+0123456789ab.changed"},
		"set by the build": {"v1", "2026-05-06", settings("vcs.revision", hash, "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"),
			"petconform " + version + ", commit v1, 2026-05-06", "petconform/" + version + "+v1"},
		"outside of git":       {"", "", settings(), "petconform " + version, "petconform/" + version},
		"no build information": {"", "", nil, "petconform " + version, "petconform/" + version},
	} {
		t.Run(name, func(t *testing.T) {
			commit, date = c.commit, c.date
			t.Cleanup(func() { commit, date = "", "" })
			b := buildOf(c.info)
			if got, want := b.String(), c.line+goAndPlatform; got != want {
				t.Errorf("version says\n%s\nwant\n%s", got, want)
			}
			if got := b.tool(); got != c.tool {
				t.Errorf("a report says %s, want %s", got, c.tool)
			}
		})
	}
}
