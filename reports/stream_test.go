package reports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"petconform/reports/internal/test/sample"
)

// TestAwaitFolder: the files of an earlier run stay until a run has reached its service, even if it is killed before; then none is
// left, even if it is killed after that.
func TestAwaitFolder(t *testing.T) {
	dir := t.TempDir()
	first := begun(t, dir)
	if err := errors.Join(first.Write(Input{Results: sample.Good().Results}), first.Complete(), first.Close()); err != nil {
		t.Fatal(err)
	}
	content := func() map[string]string {
		all := map[string]string{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all[e.Name()] = string(data)
		}
		return all
	}
	earlier := content()
	f, err := AwaitFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Record(LoadRecordingFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := AwaitFolder(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v; ErrInUse is wanted", err)
	}
	now := content() // as a killed run leaves it
	for name, data := range earlier {
		if now[name] != data {
			t.Errorf("%s was changed before the service was reached", name)
		}
	}
	if run, kept := f.Keeps(); len(now) != len(earlier) || !kept || run == "" {
		t.Errorf("%d files instead of %d; kept: %q, %v", len(now), len(earlier), run, kept)
	}
	s.Reached()
	if _, err := s.Write([]byte("two\n")); err != nil {
		t.Fatal(err)
	}
	if _, kept := f.Keeps(); kept || len(f.Recordings()) != 1 {
		t.Errorf("after that the earlier run is kept: %v, recordings %q", kept, f.Recordings())
	}
	now = content()
	if len(now) != 2 || now[LoadRecordingFile] != "one\ntwo\n" {
		t.Errorf("run.json and the recording alone are wanted: %q", now)
	}
	if own, err := ownerOf(dir); err != nil || own.finished() || own.Unreached {
		t.Errorf("%+v, %v: a run under way is wanted", own, err)
	}
}
