package main

import (
	"cmp"
	_ "embed"
	"io"
	"runtime"
	"runtime/debug"
)

// A build may set these with -ldflags "-X main.version=… -X main.commit=…". Without a commit the one that Go took from git
// counts; a build outside of git's tree has none.
var (
	version = "0.1.0"
	commit  string
)

var buildInfo, _ = debug.ReadBuildInfo()

// thisBuild says in a line which source the running binary was made from, with which Go release and for which platform.
// tool names the binary in a recording and a report: "petconform/" with the version and, if it is known, the commit.
var thisBuild, tool = buildOf(buildInfo)

// buildOf reads Go's build information, which may be nil.
func buildOf(info *debug.BuildInfo) (line, tool string) {
	line, tool = "petconform "+version, "petconform/"+version
	vcs := map[string]string{}
	if info != nil && commit == "" {
		for _, s := range info.Settings {
			vcs[s.Key] = s.Value
		}
	}
	if revision := cmp.Or(commit, vcs["vcs.revision"]); revision != "" {
		line, tool = line+", commit "+revision, tool+"+"+revision[:min(12, len(revision))]
	}
	if vcs["vcs.modified"] == "true" {
		line, tool = line+" with changes", tool+".changed"
	}
	if day := vcs["vcs.time"]; day != "" {
		line += ", " + day
	}
	return line + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, tool
}

// licenses are the license files of Go and of every module in the binary. TestLicenses writes the file from the module
// cache.
//
//go:embed licenses.txt
var licenses string

type versionCommand struct {
	Licenses bool `help:"Print the licenses of Go and of every module in the binary."`
}

func (c versionCommand) Run(a *app) error {
	text := thisBuild + "\n"
	if c.Licenses {
		text = licenses
	}
	_, err := io.WriteString(a.out, text)
	return err
}
