package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
)

// TestDamagedFiles: of a damaged file either every animal is served, as it was, or Open refuses it in one sentence that names it.
// With one of its two heads bbolt opens a file as it was before the last addition, as after a crash.
func TestDamagedFiles(t *testing.T) {
	whole, all := wholeFile(t, 400)
	page := os.Getpagesize()
	type damage struct {
		name string
		do   func(b []byte) []byte
	}
	damages := []damage{
		{"no byte", func([]byte) []byte { return nil }},
		{"text", func([]byte) []byte { return []byte("name,category\nRex,1\n") }},
		{"zeros", func(b []byte) []byte { return make([]byte, len(b)) }},
		{"a byte less", func(b []byte) []byte { return b[:len(b)-1] }},
		{"a byte more", func(b []byte) []byte { return append(b, 0) }},
		{"both heads gone", func(b []byte) []byte { clear(b[:2*page]); return b }},
		{"one head gone", func(b []byte) []byte { clear(b[:page]); return b }},
	}
	for at := page; at < len(whole); at += 4 * page {
		damages = append(damages, damage{fmt.Sprintf("cut at %d", at), func(b []byte) []byte { return b[:at] }})
	}
	for at := 2 * page; at < len(whole); at += 2 * page {
		damages = append(damages, damage{fmt.Sprintf("page %d gone", at/page), func(b []byte) []byte { clear(b[at:min(at+page, len(b))]); return b }},
			damage{fmt.Sprintf("the head of page %d gone", at/page), func(b []byte) []byte { clear(b[at : at+16]); return b }})
	}
	source := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		damages = append(damages, damage{fmt.Sprintf("bytes changed %d", i), func(b []byte) []byte {
			for range 1 + i%40 {
				b[2*page+source.IntN(len(b)-2*page)/page*page+source.IntN(64)] = byte(source.IntN(256))
			}
			return b
		}})
	}
	served, refused := 0, 0
	for _, d := range damages {
		file := filepath.Join(t.TempDir(), "pets.db")
		if err := os.WriteFile(file, d.do(slices.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(file)
		if err != nil {
			refused++
			if text := err.Error(); !strings.Contains(text, file) || strings.Contains(text, "\n") || strings.Contains(text, "goroutine") {
				t.Errorf("%s: the sentence is %q", d.name, text)
			}
			continue
		}
		served++
		got, err := s.List(Query{})
		want := all
		if d.name == "one head gone" && len(got) == len(all)-1 {
			want = all[:len(all)-1]
		}
		if d.name != "no byte" && (err != nil || !sameIDs(got, want)) {
			t.Errorf("%s: %d of %d animals are served: %v", d.name, len(got), len(want), err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
	t.Logf("%d files: %d served whole, %d refused", len(damages), served, refused)
	if len(damages) < 65 || refused < 30 {
		t.Errorf("%d of %d damaged files are refused; that is no test", refused, len(damages))
	}
}

func wholeFile(t *testing.T, n int) (file []byte, all []spec.Pet) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "whole.db")
	s, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		p, err := s.Add(spec.NewPet{Name: fmt.Sprintf("animal %d", i), CategoryID: 1, Status: spec.Statuses()[i%3]}, Sequential)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if file, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	return file, all
}

func sameIDs(a, b []spec.Pet) bool {
	return slices.EqualFunc(a, b, func(x, y spec.Pet) bool { return x.ID == y.ID })
}

// TestWhatIsNoFile tells what else can be wrong with the name of a file.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none", "pets.db")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a folder that is not there: %v", err)
	}
	file := filepath.Join(dir, "pets.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("a file in use: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
