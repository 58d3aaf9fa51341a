package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
)

// nobodysNames stand in scripts to see that they are refused.
var nobodysNames = map[string]bool{"LIST-55": true, "list-limit-defalt": true, "nothing-like-it": true}

var (
	idPattern   = regexp.MustCompile(`\b[A-Z]{3,}-[0-9]+\b`)
	onlyPattern = regexp.MustCompile(`--(?:only|skip)[ =]'?([A-Za-z0-9*,-]+)`)
	// A deviation or a freedom is named after its flag.
	devPattern = regexp.MustCompile(`--(?:deviate|freedom)[ =]([a-z0-9-]+)`)
)

// TestNamesAreKnown: every requirement, check, rule, deviation and freedom that the command line, the report or a README names is
// one that there is.
func TestNamesAreKnown(t *testing.T) {
	prefixes, variants := map[string]bool{}, map[string]bool{}
	for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
		prefix, _, _ := strings.Cut(string(r.ID), "-")
		prefixes[prefix] = true
	}
	for _, d := range deviations.All() {
		variants[d.Name] = true
	}
	for _, f := range slices.Concat(freedoms.All(), freedoms.AtRest()) {
		variants[f.Name] = true
	}
	ids, names := 0, 0
	look := func(file, text string) {
		for _, id := range idPattern.FindAllString(text, -1) {
			prefix, _, _ := strings.Cut(id, "-")
			if _, ok := spec.TheLedger().Find(spec.ID(id)); prefixes[prefix] && !ok && !nobodysNames[id] {
				t.Errorf("%s names %s; the ledger has no such requirement", file, id)
			}
			ids++
		}
		for _, m := range onlyPattern.FindAllStringSubmatch(text, -1) {
			for _, name := range strings.Split(m[1], ",") {
				if _, err := run.LabelFilter([]string{name}, nil); err != nil && !nobodysNames[name] && name != strings.ToUpper(name) {
					t.Errorf("%s: --only %s: %v", file, name, err)
				}
				names++
			}
		}
		for _, m := range devPattern.FindAllStringSubmatch(text, -1) {
			if !variants[m[1]] {
				t.Errorf("%s names the deviation or freedom %s; the reference service has none", file, m[1])
			}
		}
	}
	for _, root := range []string{"../../README.md", "../README.md", ".", "../../reports", "../../conformance", "../../spec", "../../load"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			ext := filepath.Ext(name)
			switch {
			case err != nil:
				return err
			case e.IsDir() && (e.Name() == "golden" || e.Name() == "node_modules"):
				return fs.SkipDir
			case e.IsDir() || strings.HasSuffix(name, "_test.go") || ext != ".go" && ext != ".md" && ext != ".txt" && ext != ".tmpl":
				return nil
			}
			data, err := os.ReadFile(name)
			look(name, string(data))
			return err
		})
		noError(t, err)
	}
	if ids < 20 || names < 5 {
		t.Errorf("%d ids and %d names were looked up; more are wanted", ids, names)
	}
}
