package exchange

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestOwnWordsAreNoPieces: every name of a member that petconform writes, and every id, is of words that no key is recognised by.
func TestOwnWordsAreNoPieces(t *testing.T) {
	names := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		return namesOfSource(path, names)
	})
	if err != nil || len(names) < 100 {
		t.Fatalf("%d names in the source, %v", len(names), err)
	}
	for name := range names {
		for _, w := range words.FindAllString(name, -1) {
			if !english(w) {
				t.Errorf("pairs does not have all that %q of %q needs", w, name)
			}
		}
	}
}

// identifier matches the ids of checks, phases and rules.
var identifier = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

func namesOfSource(path string, names map[string]bool) error {
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
			if s, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && identifier.MatchString(s) {
				names[s] = true
			}
		}
		return true
	})
	return nil
}

// TestRandomKeysHavePieces: nearly every piece of a random key is one that it is recognised by.
func TestRandomKeysHavePieces(t *testing.T) {
	random := func(n int) []byte { b := make([]byte, n); _, _ = rand.Read(b); return b }
	for name, key := range map[string]func() string{
		"hex":     func() string { return hex.EncodeToString(random(16)) },
		"base64":  func() string { return base64.RawURLEncoding.EncodeToString(random(24)) },
		"base32":  func() string { return rand.Text() },
		"digits":  func() string { return strings.Map(func(c rune) rune { return '0' + c%10 }, rand.Text()) },
		"letters": func() string { return strings.Map(func(c rune) rune { return 'a' + c*7%26 }, rand.Text()) },
	} {
		telling, all := 0, 0
		for range 500 {
			r := NewRedactor(NewSecret(key()))
			for _, piece := range piecesOf(r.keys[0].Reveal()) {
				if all++; r.pieces.telling[piece] {
					telling++
				}
			}
		}
		t.Logf("%s: %d of %d", name, telling, all)
		if telling < all*97/100 {
			t.Errorf("%s: %d of %d pieces tell a key", name, telling, all)
		}
	}
}
