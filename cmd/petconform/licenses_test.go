package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write licenses.txt and the transcript of README.md anew")

// licenseFile matches the names of files whose text has to go with a binary.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(txt|md))?$`)

// TestLicenses: licenses.txt has the license of Go and of every module whose packages are in the binary, as the module cache has it.
func TestLicenses(t *testing.T) {
	output := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := cmd.Output()
		noError(t, err)
		return strings.TrimSpace(string(out))
	}
	found := strings.Split(output("list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "."), "\n")
	slices.Sort(found)
	found = append([]string{"Go\t" + output("env", "GOROOT")}, slices.Compact(found)...)
	var all strings.Builder
	for _, module := range found {
		name, dir, named := strings.Cut(module, "\t")
		if !named { // of the standard library
			continue
		}
		files, err := os.ReadDir(dir)
		noError(t, err)
		has := 0
		for _, f := range files {
			if !licenseFile.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			noError(t, err)
			has++
			fmt.Fprintf(&all, "==== %s: %s\n\n%s\n\n", name, f.Name(), strings.TrimSpace(string(text)))
		}
		if has == 0 {
			t.Errorf("%s has no license", name)
		}
	}
	if *update {
		noError(t, os.WriteFile("licenses.txt", []byte(all.String()), 0o644))
	} else if all.String() != licenses {
		t.Error("licenses.txt is not what the module cache has; go test ./cmd/petconform -run TestLicenses -update writes it anew")
	}
}

// TestReasons: go.mod says of every module that is imported directly what it is for.
func TestReasons(t *testing.T) {
	data, err := os.ReadFile("../../go.mod")
	noError(t, err)
	direct, _, _ := strings.Cut(string(data), "\n)")
	_, direct, _ = strings.Cut(direct, "require (\n")
	for line := range strings.Lines(direct + "\n") {
		if _, why, said := strings.Cut(line, " // "); !said || strings.HasPrefix(why, "indirect") {
			t.Errorf("go.mod gives no reason for %s", line)
		}
	}
	if direct == "" {
		t.Error("go.mod names no module")
	}
}
