package main

import (
	"cmp"
	_ "embed"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// A build may set these with -ldflags "-X main.version=… -X main.commit=… -X main.date=…". Without a commit and a date
// the ones that Go took from git count; a build outside of git's tree has none.
var (
	version = "0.1.0"
	commit  string
	date    string
)

// build says which source a binary was made from, and how.
type build struct {
	version, commit, date string
	changed               bool // the source had changes that were not committed
}

// thisBuild is the build of the running binary.
func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

// buildOf adds the version, commit and date of Go's build information. info may be nil.
func buildOf(info *debug.BuildInfo) build {
	b := build{version: version, commit: commit, date: date}
	if info == nil || commit != "" {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.modified":
			b.changed = s.Value == "true"
		case "vcs.time":
			b.date = cmp.Or(b.date, s.Value)
		}
	}
	return b
}

// String is one line for a person: version, commit, date of the commit, and the Go release and platform.
func (b build) String() string {
	parts := []string{"petconform " + b.version}
	if b.commit != "" {
		c := "commit " + b.commit
		if b.changed {
			c += " with changes"
		}
		parts = append(parts, c)
	}
	if b.date != "" {
		parts = append(parts, b.date)
	}
	return strings.Join(append(parts, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH), ", ")
}

// tool names the build in a recording and a report: "petconform/" with the version and, if it is known, the commit.
func (b build) tool() string {
	name := "petconform/" + b.version
	if b.commit != "" {
		name += "+" + b.commit[:min(12, len(b.commit))]
	}
	if b.changed {
		name += ".changed"
	}
	return name
}

// tool names the running binary.
func tool() string { return thisBuild().tool() }

// licenses are the license files of Go and of every module in the binary. TestLicenses writes the file from the module
// cache.
//
//go:embed licenses.txt
var licenses string

type versionCommand struct {
	Licenses bool `help:"Print the licenses of Go and of every module in the binary."`
}

func (c versionCommand) Run(a *app) error {
	text := thisBuild().String() + "\n"
	if c.Licenses {
		text = licenses
	}
	_, err := io.WriteString(a.out, text)
	return err
}
