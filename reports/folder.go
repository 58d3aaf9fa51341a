package reports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"petconform/reports/safe"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
)

// Folder is the folder of one run. Everything is written into a folder in it, Unfinished, whose files move up when the
// run is whole. So a folder with an unfinished one in it has no report of the run that is under way or was killed. It is
// locked until Close, so no other process can use it for a run.
type Folder struct {
	dir  string
	file *flock.Flock
	// again says that the report of a run is written again: without a new report, everything stays as it was.
	again bool
	// streams are the recordings of the run, which grow while it goes on, and names those of all files that were written.
	streams  []*os.File
	names    []string
	broken   error // says why a recording could not be written
	written  bool  // the report
	complete bool
	keys     *exchange.Redactor
}

// Unfinished is the folder of what a run has written before it is whole.
const Unfinished = "unfinished"

// markFile is the file that is locked. It shows that petconform made the folder.
const markFile = ".petconform"

// The reasons why a folder, or a file of it, is not written. ErrUnfit means that the folder or a file in it cannot be
// made, or that files which petconform did not create, or a signed bundle, would be lost.
var (
	ErrUnfit    = errors.New("name another folder with --out")
	ErrInUse    = errors.New("another run of petconform works in it")
	ErrKeyFound = errors.New("an API key, or the value of a header, is in a file that was about to be written, so none was")
)

// OpenFolder creates and locks the folder of a new run. In the folder of an earlier run it removes the files of that
// run. To write the report of a run again, it keeps the recordings, and without a report that is whole, the folder stays
// unchanged. It returns ErrUnfit or ErrInUse, wrapped, and then removes nothing.
func OpenFolder(dir string, again bool) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be created: %w; %w", dir, err, ErrUnfit)
	}
	if err := mayOpen(dir); err != nil {
		return nil, err
	}
	file := flock.New(filepath.Join(dir, markFile), flock.SetPermissions(0o644))
	locked, err := file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w; %w", dir, err, ErrUnfit)
	}
	if !locked {
		return nil, fmt.Errorf("the folder %s: %w; wait for it, or name another folder with --out", dir, ErrInUse)
	}
	f := &Folder{dir: dir, file: file, again: again}
	if again { // a run that was killed may have left more than its recordings
		err = remove(f.Path(), but(fileNames(), RecordingFiles()...))
	} else {
		err = errors.Join(remove(f.Path(), fileNames()), remove(dir, fileNames()))
	}
	if made := os.MkdirAll(f.Path(), 0o755); made != nil {
		err = errors.Join(err, fmt.Errorf("the folder %s cannot be written to: %w; %w", dir, made, ErrUnfit))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// mayOpen returns an error if files that petconform did not create, or a signed bundle, would be lost.
func mayOpen(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("the folder %s cannot be read: %w; %w", dir, err, ErrUnfit)
	}
	var theirs string
	for _, e := range entries {
		switch name := e.Name(); {
		case name == PreparedFile, name == ApprovedFile, name == BundleFile && signed(filepath.Join(dir, name)):
			return fmt.Errorf("the folder %s has %s: its bundle is signed, so its files are kept; %w", dir, name, ErrUnfit)
		case slices.Contains(append(fileNames(), Unfinished, markFile), name):
			theirs = name
		}
	}
	mark, err := os.Lstat(filepath.Join(dir, markFile))
	if theirs == "" || err == nil && mark.Mode().IsRegular() {
		return nil
	}
	data, err := bounded.ReadFile(filepath.Join(dir, ResultsFile), maxResults)
	if _, ours := claimsOf(data); err != nil || !ours { // else a pipeline kept some of the files
		return fmt.Errorf("the folder %s has %s: petconform did not create it, so its files are kept; %w", dir, theirs, ErrUnfit)
	}
	return nil
}

// signed reports whether a bundle has signatures in it.
func signed(bundle string) bool {
	z, err := zip.OpenReader(bundle)
	if err != nil {
		return false
	}
	defer z.Close()
	return slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == PreparedFile || f.Name == ApprovedFile })
}

func fileNames() []string {
	names := append(RecordingFiles(), BundleFile, SumsFile)
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// RecordingFiles are the names of the recordings that a run may have.
func RecordingFiles() []string { return []string{RecordingFile, LoadRecordingFile} }

func remove(dir string, names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %s has an earlier %s that cannot be removed: %w", dir, name, err)
		}
	}
	return nil
}

// Path is the folder in which the files are: until the run is whole, Unfinished.
func (f *Folder) Path() string {
	if f.complete {
		return f.dir
	}
	return filepath.Join(f.dir, Unfinished)
}

// Record adds a file that the run appends to, until Seal. The run must not have another of that name.
func (f *Folder) Record(name string) (*os.File, error) {
	s, err := f.create(name)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	f.streams, f.names = append(f.streams, s), append(f.names, name)
	return s, nil
}

// create creates a file, and does not write through a link.
func (f *Folder) create(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(f.Path(), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Seal closes the recordings, and returns their digests by their names. It returns an error if one could not be
// written or was removed since it was created, or ErrKeyFound if one contains a key.
func (f *Folder) Seal(keys *exchange.Redactor) (map[string]string, error) {
	digests := map[string]string{}
	f.keys = keys
	if err := f.closeStreams(); err != nil {
		return nil, fmt.Errorf("the recording could not be written: %w", err)
	}
	for _, name := range RecordingFiles() {
		path, own := filepath.Join(f.Path(), name), slices.Contains(f.names, name)
		data, err := bounded.ReadFile(path, MaxRecording)
		if errors.Is(err, fs.ErrNotExist) && !own { // a report is written again
			data, err = bounded.ReadFile(filepath.Join(f.dir, name), MaxRecording)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && own:
			return nil, fmt.Errorf("%s was removed during the run; run petconform again", path)
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("reading the recording: %w", err)
		case KeyIn(keys, name, data):
			return nil, fmt.Errorf("%w: %s", ErrKeyFound, path)
		default:
			digests[name] = safe.Digest(data)
		}
	}
	return digests, nil
}

// closeStreams closes the recordings once, and returns the same error each time.
func (f *Folder) closeStreams() error {
	for _, s := range f.streams {
		f.broken = errors.Join(f.broken, s.Sync(), s.Close())
	}
	f.streams = nil
	return f.broken
}

// KeyIn reports whether a file contains a key: in a line of JSON, which has whole strings, or anywhere in another file.
func KeyIn(keys *exchange.Redactor, name string, data []byte) bool {
	if ext := filepath.Ext(name); ext != ".json" && ext != ".jsonl" {
		return keys.Leaked(data)
	}
	for line := range bytes.Lines(data) {
		if keys.Leaked(line) {
			return true
		}
	}
	return false
}

// Write writes the report of a run that was sealed. It writes nothing, and returns ErrKeyFound, if any of the files
// contains a key.
func (f *Folder) Write(v View) error {
	files, err := Render(v)
	if err == nil {
		err = f.Add(files)
	}
	f.written = f.written || err == nil
	return err
}

// Add writes further files. It does not write through a symbolic link.
func (f *Folder) Add(files Files) error {
	for name, data := range files {
		if KeyIn(f.keys, name, data) {
			return fmt.Errorf("%w: %s", ErrKeyFound, name)
		}
	}
	for name, data := range files {
		err := remove(f.Path(), []string{name})
		var file *os.File
		if err == nil {
			file, err = f.create(name)
		}
		if err == nil {
			_, err = file.Write(data)
			err = errors.Join(err, file.Sync(), file.Close())
		}
		if err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		f.names = append(f.names, name)
	}
	return nil
}

// Written reports whether the run has its report.
func (f *Folder) Written() bool { return f.written }

// Complete moves all files of the run to their place, the results last, and removes those of an earlier report.
func (f *Folder) Complete() error {
	moved := RecordingFiles()
	for _, name := range append(but(fileNames(), ResultsFile), ResultsFile) {
		err := os.Rename(filepath.Join(f.Path(), name), filepath.Join(f.dir, name))
		if err == nil {
			moved = append(moved, name)
		} else if slices.Contains(f.names, name) || !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %s: %w", f.dir, err)
		}
	}
	err := errors.Join(remove(f.dir, but(fileNames(), moved...)), os.Remove(f.Path()))
	f.complete = true
	return err
}

func but(names []string, gone ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(gone, name) })
}

// Close unlocks the folder. Without Complete, what the run has written stays where it is, unfinished; of a report that
// was to be written again, nothing.
func (f *Folder) Close() error {
	_ = f.closeStreams() // Seal returns the error; without it there is no report that rests on them
	var err error
	if f.again && !f.complete {
		err = remove(f.Path(), but(fileNames(), RecordingFiles()...))
		_ = os.Remove(f.Path()) // unless it has the recording of a run that was killed
	}
	return errors.Join(err, f.file.Unlock())
}
