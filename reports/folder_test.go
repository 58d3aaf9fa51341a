package reports

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/exchange"
)

const key = "pk-live-5f2c9a77"

// begun opens a folder and writes a recording into it.
func begun(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir, false)
	NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	file, err := f.Record(RecordingFile)
	NoError(t, err)
	_, err = file.Write([]byte("{}\n"))
	NoError(t, err)
	return f
}

// finish writes the report of a sample and completes the folder.
func finish(t *testing.T, f *Folder) error {
	t.Helper()
	_, err := f.Seal(nil)
	if err == nil {
		err = f.Write(Look(Input{Results: sample.Good().Results}))
	}
	if err == nil {
		err = f.Complete()
	}
	return errors.Join(err, f.Close())
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestAFolderIsWholeOrUnfinished: until the run is whole, nothing of it stands where a reader looks; then everything does.
func TestAFolderIsWholeOrUnfinished(t *testing.T) {
	dir := t.TempDir()
	f := begun(t, dir)
	if got := names(t, dir); !slices.Equal(got, []string{markFile, Unfinished}) {
		t.Errorf("while the run goes on, the folder has %q", got)
	}
	if _, err := (Opening{}).Open(dir); err == nil || !strings.Contains(err.Error(), "under way or was killed") {
		t.Errorf("before the end: %v", err)
	}
	NoError(t, finish(t, f))
	want := []string{markFile, JUnitFile, RecordingFile, ReportFile, ResultsFile, SummaryFile}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %q; %q is wanted", got, want)
	}
}

// TestAFileWrittenAgain: a report that could not be written is written again, as the one that says why.
func TestAFileWrittenAgain(t *testing.T) {
	f := begun(t, t.TempDir())
	if err := errors.Join(f.Add(Files{SummaryFile: []byte("ha")}), finish(t, f)); err != nil {
		t.Error(err)
	}
}

// TestFolderIsLocked: while one run works in a folder no other gets it, and afterwards the next one does.
func TestFolderIsLocked(t *testing.T) {
	dir := t.TempDir()
	first := begun(t, dir)
	if _, err := OpenFolder(dir, false); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v; ErrInUse is wanted", err)
	}
	if _, err := os.Stat(filepath.Join(first.Path(), RecordingFile)); err != nil {
		t.Errorf("the second run touched the first one's recording: %v", err)
	}
	NoError(t, first.Close())
	begun(t, dir)
}

// TestFolderIsCleared of everything that an earlier run wrote, whole or unfinished, and of nothing else.
func TestFolderIsCleared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run[1]") // no pattern
	NoError(t, finish(t, begun(t, dir)))
	theirs := []string{"mine.txt"}
	for _, name := range append([]string{LoadRecordingFile, BundleFile}, theirs...) {
		NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
	}
	f, err := OpenFolder(dir, true)
	NoError(t, err)
	NoError(t, finish(t, f))
	if got := names(t, dir); !slices.Contains(got, RecordingFile) || slices.Contains(got, BundleFile) {
		t.Errorf("after another report: %q; the recordings alone are wanted of the earlier one", got)
	}
	NoError(t, begun(t, dir).Close()) // as if killed
	begun(t, dir)
	want := append([]string{markFile, Unfinished}, theirs...)
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %q; %q is wanted", got, want)
	}
}

// TestAReportThatFails leaves the earlier one as it was.
func TestAReportThatFails(t *testing.T) {
	dir := t.TempDir()
	NoError(t, finish(t, begun(t, dir)))
	before, _ := os.ReadFile(filepath.Join(dir, ResultsFile)) // the next lines would tell
	f, err := OpenFolder(dir, true)
	NoError(t, err)
	f.keys = exchange.NewRedactor(exchange.NewSecret(key))
	if err := f.Add(Files{SummaryFile: []byte("new"), ResultsFile: []byte(`["` + key + `"]`)}); !errors.Is(err, ErrKeyFound) {
		t.Errorf("%v; ErrKeyFound is wanted", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	after, _ := os.ReadFile(filepath.Join(dir, ResultsFile))
	if got := names(t, dir); !bytes.Equal(before, after) || slices.Contains(got, Unfinished) {
		t.Errorf("the earlier report was changed, or something is left: %q", got)
	}
}

// unfit reports whether a folder is refused for that reason.
func unfit(err error, why string) bool {
	return errors.Is(err, ErrUnfit) && strings.Contains(err.Error(), why)
}

// TestFolderOfSomebodyElse is refused where a file would be lost, for each name that petconform writes.
func TestFolderOfSomebodyElse(t *testing.T) {
	for _, name := range append(fileNames(), Unfinished) {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		if _, err := OpenFolder(dir, false); !unfit(err, "petconform did not create it") {
			t.Errorf("%s: %v; that it is somebody else's is wanted", name, err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "mine" {
			t.Errorf("%s: %q, %v; it was somebody else's", name, data, err)
		}
	}
	dir := t.TempDir()
	theirs := filepath.Join(dir, JUnitFile)
	NoError(t, errors.Join(os.WriteFile(theirs, []byte("<theirs/>"), 0o600), os.Symlink(theirs, filepath.Join(dir, markFile))))
	if _, err := OpenFolder(dir, false); !unfit(err, "petconform did not create it") {
		t.Errorf("a link instead of the mark: %v; that it is somebody else's is wanted", err)
	}
	var inside bytes.Buffer
	z := zip.NewWriter(&inside)
	_, err := z.Create(ApprovedFile)
	NoError(t, errors.Join(err, z.Close()))
	for name, data := range map[string][]byte{PreparedFile: nil, BundleFile: inside.Bytes()} {
		dir = t.TempDir()
		NoError(t, errors.Join(finish(t, begun(t, dir)), os.WriteFile(filepath.Join(dir, name), data, 0o600)))
		if _, err := OpenFolder(dir, false); !unfit(err, "its bundle is signed") {
			t.Errorf("%s: %v; that the bundle is signed is wanted", name, err)
		}
	}
}

// TestFolderChangedMeanwhile: a report is not written about a run whose recording is no longer there.
func TestFolderChangedMeanwhile(t *testing.T) {
	for _, gone := range []string{"", filepath.Join(Unfinished, RecordingFile)} {
		dir := filepath.Join(t.TempDir(), "run")
		f := begun(t, dir)
		NoError(t, os.RemoveAll(filepath.Join(dir, gone)))
		if err := finish(t, f); err == nil || !strings.Contains(err.Error(), "removed during the run") {
			t.Errorf("without %q: %v; an error that says so is wanted", gone, err)
		}
		if _, err := os.Stat(filepath.Join(dir, ResultsFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %q: results were written", gone)
		}
	}
}

// TestALinkIsNotWrittenThrough: what a symbolic link of a file's name names stays as it is.
func TestALinkIsNotWrittenThrough(t *testing.T) {
	dir, theirs := t.TempDir(), filepath.Join(t.TempDir(), "theirs")
	NoError(t, finish(t, begun(t, dir)))
	NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
	for _, name := range []string{RecordingFile, ResultsFile} {
		path := filepath.Join(dir, name)
		NoError(t, errors.Join(os.Remove(path), os.Symlink(theirs, path)))
	}
	NoError(t, finish(t, begun(t, dir)))
	if data, err := os.ReadFile(theirs); err != nil || string(data) != "theirs" {
		t.Errorf("what the link names became %q: %v", data, err)
	}
}

// TestAKeyIsRefused in every file of a run, and nothing is written or left behind.
func TestAKeyIsRefused(t *testing.T) {
	keys := exchange.NewRedactor(exchange.NewSecret(key))
	r := sample.New()
	for name, write := range map[string]func(f *Folder) error{
		"results": func(f *Folder) error {
			r.Results.Checks[8].Reason = "got " + key
			return f.Write(Look(Input{Results: r.Results, Redactor: keys}))
		},
		"a body that the page alone shows": func(f *Folder) error {
			r := sample.New()
			for i := range r.Recording.Exchanges {
				r.Recording.Exchanges[i].Response.Body = exchange.Body(key)
			}
			return f.Write(Look(Input{Results: r.Results, Recording: r.Recording, Redactor: keys}))
		},
		"a file that is added": func(f *Folder) error {
			return f.Add(Files{"added.txt": []byte("curl -H 'Authorization: Bearer " + key + "'")})
		},
		"a recording": func(f *Folder) error {
			if _, err := f.streams[0].Write([]byte(`{"body":"` + key + `"}`)); err != nil {
				return err
			}
			_, err := f.Seal(keys)
			return err
		},
	} {
		f := begun(t, t.TempDir())
		if f.keys = keys; !errors.Is(write(f), ErrKeyFound) || len(names(t, f.Path())) != 1 {
			t.Errorf("a key in %s: %q is there; ErrKeyFound and the recording alone are wanted", name, names(t, f.Path()))
		}
	}
}

// TestKeyOfWords: a key may have words that every report has.
func TestKeyOfWords(t *testing.T) {
	f := begun(t, t.TempDir())
	f.keys = exchange.NewRedactor(exchange.NewSecret("requirements-4711"))
	if err := f.Add(Files{ResultsFile: []byte(`{"requirements":[]}`)}); err != nil {
		t.Error(err)
	}
}
