package sample

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyTestsImportSamples: Go lets no package import the _test.go files of another, so the samples are in ordinary ones. No file of
// petconform itself imports them.
func TestOnlyTestsImportSamples(t *testing.T) {
	const root, path = "../../../..", `"petconform/reports/internal/test/sample"`
	importers := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			if spec.Path.Value != path {
				continue
			}
			importers++
			if !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s imports the samples; only tests may", name)
			}
		}
		return nil
	})
	if err != nil || importers == 0 {
		t.Errorf("%d files import the samples, %v; want some", importers, err)
	}
}
