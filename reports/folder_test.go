package reports

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
)

// begun opens a folder and writes a recording into it.
func begun(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	file, err := f.Record(RecordingFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

// written are the names of all files that a run may leave in its folder, as a reader of the README knows them.
var written = []string{"recording.jsonl", "load-recording.jsonl", "results.json", "release.json", "junit.xml", "summary.md", "report.html",
	"bundle.zip"}

// grown are those that are written while the run goes on.
var grown = written[:2]

func good() Input { return Input{Results: sample.Good().Results} }

// TestFolderIsLocked: while one run works in a folder no other gets it, and afterwards the next one does.
func TestFolderIsLocked(t *testing.T) {
	dir := t.TempDir()
	first := begun(t, dir)
	if _, err := OpenFolder(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v; ErrInUse is wanted", err)
	}
	if _, err := os.Stat(filepath.Join(dir, RecordingFile)); err != nil {
		t.Errorf("the second run touched the first one's recording: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	begun(t, dir)
}

// TestFolderIsCleared of everything that an earlier run wrote, its bundle and half-written files included, and of nothing else.
func TestFolderIsCleared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run[1]") // no pattern
	f := begun(t, dir)
	names := append(slices.Clone(written), "explore-1.sh", "explore-2.sh", ".results.json.tmp", ".explore-3.sh.tmp")
	mine := []string{"mine.txt", "explore-notes.sh", "explore-9.sh", ".mine.tmp", ".results.json.123.tmp"}
	for _, name := range append(slices.Clone(names), mine...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err := ReopenFolder(dir); err != nil {
		t.Error(err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range grown {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s did not outlast a report that is written again: %v", name, err)
		}
	}
	if f, err := OpenFolder(dir); err != nil {
		t.Error(err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of the earlier run is left (%v)", name, err)
		}
	}
	for _, name := range mine {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a file of somebody else: %v", err)
		}
	}
}

// TestAReportThatFails leaves the earlier one as it was; one that is written removes what belonged to the earlier one.
func TestAReportThatFails(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	good := Input{Results: sample.New().Results}
	if err := errors.Join(f.Write(good), f.Complete(), f.Close(), os.WriteFile(filepath.Join(dir, BundleFile), []byte("old"), 0o600)); err != nil {
		t.Fatal(err)
	}
	again := func(in Input) error {
		f, err := ReopenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = f.Write(in)
		if err == nil {
			err = f.Complete()
		}
		return errors.Join(err, f.Close())
	}
	bad := good
	bad.Results.Load = []byte("[]")
	before, _ := os.ReadFile(filepath.Join(dir, ResultsFile)) // Read below tells an error
	if err := again(bad); err == nil {
		t.Error("a load block that is a list was rendered")
	}
	after, _ := os.ReadFile(filepath.Join(dir, ResultsFile))
	if _, err := os.Stat(filepath.Join(dir, BundleFile)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the earlier report was changed (%v)", err)
	}
	if in, err := (Opening{}).Open(dir); err != nil || in.Results.Run != good.Results.Run {
		t.Errorf("the earlier report can't be read: %v", err)
	}
	if err := again(good); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, BundleFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the bundle of the earlier report is left (%v)", err)
	}
}

// TestFolderOfSomebodyElse is refused where a file would be lost, for each name that petconform writes.
func TestFolderOfSomebodyElse(t *testing.T) {
	for _, name := range written {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenFolder(dir); !errors.Is(err, ErrNotOurs) {
			t.Errorf("%s: %v; ErrNotOurs is wanted", name, err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "mine" {
			t.Errorf("%s: %q, %v; it was somebody else's", name, data, err)
		}
	}
	dir := t.TempDir()
	if err := begun(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, PreparedFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); !errors.Is(err, ErrSigned) {
		t.Errorf("a signed bundle: %v; ErrSigned is wanted", err)
	}
}

// TestFolderChangedMeanwhile: a report is not written about a run whose recording is no longer there.
func TestFolderChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"removed":            os.RemoveAll,
		"recording removed":  func(dir string) error { return os.Remove(filepath.Join(dir, RecordingFile)) },
		"recording replaced": func(dir string) error { return replace(filepath.Join(dir, RecordingFile)) },
		"owner replaced":     func(dir string) error { return replace(filepath.Join(dir, RunFile)) },
	} {
		dir := filepath.Join(t.TempDir(), "run")
		f := begun(t, dir)
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(good()); err == nil || !strings.Contains(err.Error(), "during the run") {
			t.Errorf("%s: %v; an error that says so is wanted", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, ResultsFile)); err == nil {
			t.Errorf("%s: results were written", name)
		}
	}
}

// replace puts another file in a file's place. The other is made first: a freed inode might be given out again.
func replace(path string) error {
	if err := os.WriteFile(path+".new", []byte("{}\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// TestFolderTellsItsState: results are read from a folder whose run is through, and from no other.
func TestFolderTellsItsState(t *testing.T) {
	dir := t.TempDir()
	f := begun(t, dir)
	in := good()
	if err := os.Remove(filepath.Join(dir, RecordingFile)); err != nil { // Read would look into it
		t.Fatal(err)
	}
	f.streams = nil
	if err := f.Write(in); err != nil {
		t.Fatal(err)
	}
	if _, err := (Opening{}).Open(dir); err == nil || !strings.Contains(err.Error(), "under way or was killed") {
		t.Errorf("before the end: %v", err)
	}
	if err := f.Complete(); err != nil {
		t.Fatal(err)
	}
	if _, err := (Opening{}).Open(dir); err != nil {
		t.Errorf("after the end: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(dir, RunFile))
	if err != nil || !strings.Contains(string(data), `"run": "`+in.Results.Run+`"`) {
		t.Errorf("%v: the run is wanted in\n%s", err, data)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	again := begun(t, dir)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := (Opening{}).Open(dir); err == nil || !strings.Contains(err.Error(), "did not finish") {
		t.Errorf("after a run that was given up: %v", err)
	}
}
