package bounded_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"petconform/spec/bounded"
)

// put writes a file into a folder.
func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	full := put(t, dir, "full", strings.Repeat("a", 1024))
	if err := os.Symlink(full, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for name, row := range map[string]struct{ file, says string }{
		"as large as allowed": {full, ""},
		"empty":               {put(t, dir, "empty", ""), ""},
		"a link to a file":    {filepath.Join(dir, "link"), ""},
		"a byte too large":    {put(t, dir, "large", strings.Repeat("a", 1025)), "larger than 1 KiB"},
		"a folder":            {dir, "is a folder"},
		"missing":             {filepath.Join(dir, "missing"), "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bounded.ReadFile(row.file, 1024)
			if row.says == "" && err != nil || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)) {
				t.Errorf("the error is %v; %q is wanted", err, row.says)
			}
		})
	}
}

// TestReadText: a byte order mark in front of a text is not part of it.
func TestReadText(t *testing.T) {
	name := put(t, t.TempDir(), "key.txt", "\ufeffpet-1\ufeff")
	if data, err := bounded.ReadText(name, bounded.Small); err != nil || string(data) != "pet-1\ufeff" {
		t.Errorf("%q, %v; the text without the mark in front is wanted", data, err)
	}
}

// TestDevice: a device has no size, and would be read without end.
func TestDevice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/zero")
	}
	if _, err := bounded.Open("/dev/zero", bounded.Small); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("the error is %v; a regular file is wanted", err)
	}
}

// TestFileThatGrows: a file that grows after it was opened is read up to its bound.
func TestFileThatGrows(t *testing.T) {
	dir := t.TempDir()
	name := put(t, dir, "grows", "1234")
	f, err := bounded.Open(name, 6)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	put(t, dir, "grows", "12345678")
	if data, err := io.ReadAll(f); string(data) != "123456" || err == nil {
		t.Errorf("read %q, error %v; six bytes and an error are wanted", data, err)
	}
}
