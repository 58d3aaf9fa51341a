package exchange

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write words.txt")

// TestWords: petconform's own vocabulary has every name of a member that petconform writes, and every id. With -update it becomes every
// word of a string in the module's source, of the templates and of the schemas.
func TestWords(t *testing.T) {
	words, names := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go"):
		case strings.HasSuffix(path, ".go"):
			return wordsOfSource(path, words, names)
		case slices.Contains([]string{".html", ".tmpl", ".css", ".js", ".json"}, filepath.Ext(path)):
			data, err := os.ReadFile(path)
			addWords(words, string(data))
			return err
		}
		return nil
	})
	if err != nil || len(names) < 100 {
		t.Fatalf("%d names in the source, %v", len(names), err)
	}
	if *update {
		for w := range words {
			if len(w) < 2 || len(w) > 24 || strings.Contains(w, "abcdef") { // an alphabet is no word
				delete(words, w)
			}
		}
		if err := os.WriteFile("words.txt", []byte(strings.Join(slices.Sorted(maps.Keys(words)), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	own := ownWords()
	for name := range names {
		for _, w := range word.FindAllString(name, -1) {
			if len(w) > 1 && !own.words[strings.ToLower(w)] {
				t.Errorf("words.txt does not have %q of %q; run go test ./spec/exchange -run TestWords -update", w, name)
			}
		}
	}
}

func addWords(words map[string]bool, text string) {
	for _, w := range word.FindAllString(text, -1) {
		words[strings.ToLower(w)] = true
	}
}

// identifier matches the ids of checks, phases and rules.
var identifier = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

func wordsOfSource(path string, words, names map[string]bool) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
				names[name] = true
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				addWords(words, s)
				if identifier.MatchString(s) {
					names[s] = true
				}
			}
		}
		return true
	})
	return nil
}
