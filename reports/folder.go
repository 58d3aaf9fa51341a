package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"petconform/reports/signoff"
	"petconform/spec/exchange"
)

// Folder is the folder of one run for as long as this process works in it. No second run gets it meanwhile.
type Folder struct {
	dir   string
	file  *os.File // run.json, locked
	owner owner
	keys  *exchange.Redactor
	// streams are the files that grow while the run goes on.
	streams []stream
	// earlier are the files of an earlier report that go when a new one is written, and before is run.json until then.
	earlier []string
	before  *owner
}

// stream is a file as it was when it was opened.
type stream struct {
	name string
	info os.FileInfo
}

// ErrNotOurs says that a folder holds files that petconform would write over and that it has not made.
var ErrNotOurs = errors.New("petconform did not create it")

// ErrSigned says that a folder holds a bundle that somebody signed.
var ErrSigned = errors.New("its bundle is signed")

// ErrInUse says that another run works in the folder.
var ErrInUse = errors.New("another run of petconform works in it")

// OpenFolder makes the folder of a new run, or takes over that of an earlier run and removes all that the earlier run wrote.
func OpenFolder(dir string) (*Folder, error) { return openFolder(dir, runFiles()) }

// ReopenFolder opens a run's folder to write its report again. The recordings stay; the files of the old report, and its bundle, go
// when the new one is written. If none is, the folder is left as it was.
func ReopenFolder(dir string) (*Folder, error) {
	before, err := ownerOf(dir)
	ours := err == nil && before.Schema != ""
	f, err := openFolder(dir, nil)
	if err != nil {
		return nil, err
	}
	if ours {
		f.before = &before
	}
	if f.earlier, err = f.withLeftovers(reportFiles()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// reportFiles are what is made from results and recordings, streamFiles what is written while a run goes on.
func reportFiles() []string {
	return []string{ResultsFile, ReleaseFile, JUnitFile, SummaryFile, ReportFile, HARFile, AllHARFile, BundleFile, StatementFile}
}

func streamFiles() []string { return append(RecordingFiles(), VegetaFile) }

// RecordingFiles are the recordings that a run may have. They are what it is judged from again.
func RecordingFiles() []string { return []string{RecordingFile, AgainstFile, LoadRecordingFile} }

func runFiles() []string { return append(streamFiles(), reportFiles()...) }

func openFolder(dir string, clear []string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be created: %w", dir, err)
	}
	if err := mayOpen(dir); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, RunFile), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	if err := lock(file); err != nil {
		return nil, fmt.Errorf("the folder %s: %w; wait for it, or name another folder with --out (%w)", dir, ErrInUse, errors.Join(err, file.Close()))
	}
	f := &Folder{dir: dir, file: file, owner: owner{Schema: folderSchema, State: underWay, Since: time.Now().UTC().Truncate(time.Second)}}
	err = f.mark(underWay)
	if err == nil && clear != nil {
		err = f.clear(clear)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// mayOpen refuses a folder in which files of somebody else would be lost.
func mayOpen(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, BundleFile+signoff.Suffix)); err == nil {
		return fmt.Errorf("the folder %s: %w (%s), so its files are kept; name another folder with --out", dir, ErrSigned, BundleFile+signoff.Suffix)
	}
	if info, err := os.Lstat(filepath.Join(dir, RunFile)); err == nil {
		if _, other := ownerOf(dir); !info.Mode().IsRegular() || other != nil && info.Size() > 0 { // a killed run may leave an empty one
			return fmt.Errorf("the folder %s holds a %s of something else: %w, so its files are kept; name a new or an empty folder with --out", dir, RunFile, ErrNotOurs)
		}
		return nil
	}
	for _, name := range runFiles() {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("the folder %s has %s but no %s: %w, so its files are kept; name a new or an empty folder with --out", dir, name, RunFile, ErrNotOurs)
		}
	}
	return nil
}

// withLeftovers adds the scripts of an earlier report, and what a killed run left half written.
func (f *Folder) withLeftovers(names []string) ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		for _, pattern := range []string{ScriptPattern, ".*.tmp"} {
			if left, err := filepath.Match(pattern, e.Name()); err == nil && left {
				names = append(names, e.Name())
			}
		}
	}
	return names, nil
}

// clear removes the named files, and the scripts, bodies and halves of an earlier report.
func (f *Folder) clear(names []string) error {
	names, err := f.withLeftovers(names)
	if err == nil {
		err = f.remove(names)
	}
	if err != nil {
		return err
	}
	if err := RemoveBodies(f.dir); err != nil {
		return fmt.Errorf("the folder %s holds bodies of an earlier report that cannot be removed: %w", f.dir, err)
	}
	return nil
}

func (f *Folder) remove(names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %s holds an earlier %s that cannot be removed: %w", f.dir, name, err)
		}
	}
	return nil
}

// Record creates a file that grows while the run goes on.
func (f *Folder) Record(name string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.streams = append(f.streams, stream{file.Name(), info})
	return file, nil
}

// Recordings names the recordings that this run has begun and that still lie in the folder.
func (f *Folder) Recordings() []string {
	var names []string
	for _, s := range f.streams {
		if _, err := os.Stat(s.name); err == nil {
			names = append(names, s.name)
		}
	}
	return names
}

// intact says what was taken out of the folder, or put in its place, while the run went on.
func (f *Folder) intact() error {
	own, err := f.file.Stat()
	if err != nil {
		return err
	}
	for _, s := range append([]stream{{f.file.Name(), own}}, f.streams...) {
		if now, err := os.Stat(s.name); err != nil || !os.SameFile(now, s.info) {
			return fmt.Errorf("%s was removed or replaced during the run, so the run cannot be judged again; run petconform again, and change nothing in the folder meanwhile", s.name)
		}
	}
	return nil
}

// Write writes the report of in and the files beside it, when the folder is still as the run made it. Nothing is written when a
// key is found in any of it or in a recording: the error is ErrKeyFound then.
func (f *Folder) Write(in Input, beside ...Artefact) error {
	if err := f.intact(); err != nil {
		return err
	}
	f.keys = in.Redactor
	res := Weigh(in).Results
	f.owner.Kind, f.owner.Run, f.owner.Word = res.Kind, res.Run, res.Word
	names, err := write(f.dir, in, beside...)
	if names != nil {
		f.before = nil
	}
	if err != nil {
		return err
	}
	return f.remove(slices.DeleteFunc(f.earlier, func(name string) bool { return slices.Contains(names, name) }))
}

// Add writes further files, looked through for the keys of the run as all others are.
func (f *Folder) Add(files ...Artefact) error {
	if err := f.intact(); err != nil {
		return err
	}
	if err := keyFree(files, f.keys); err != nil {
		return err
	}
	return place(f.dir, files)
}

// Complete says in run.json that the run is through and its files are all there.
func (f *Folder) Complete() error { return f.mark(complete) }

// Close gives the folder up. A run that was not completed is marked as aborted.
func (f *Folder) Close() error {
	var err error
	switch {
	case f.owner.State == complete || f.intact() != nil:
	case f.before != nil:
		f.owner = *f.before
		err = f.mark(f.owner.State)
	default:
		err = f.mark(aborted)
	}
	return errors.Join(err, unlock(f.file), f.file.Close())
}

func (f *Folder) mark(state string) error {
	f.owner.State = state
	data, err := marshal(f.owner)
	if err != nil {
		return err
	}
	if err := f.file.Truncate(0); err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	_, err = f.file.WriteAt(data, 0)
	return err
}
