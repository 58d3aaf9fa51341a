package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"petconform/conformance/explore"
	"petconform/spec/exchange"
	"petconform/spec/lock"
)

// Folder is the folder of one run. It is locked until Close, so no other process can use it for a run.
type Folder struct {
	dir   string
	file  *os.File // run.json, locked
	owner owner
	keys  *exchange.Redactor
	// streams are the files that grow while the run goes on.
	streams []*Stream
	written bool
	// earlier names the files of an earlier report, which Write removes. before is run.json as it was; Close restores
	// it if no report was written.
	earlier []string
	before  *owner
}

// ErrNotOurs means that petconform would overwrite files in the folder that it did not create.
var ErrNotOurs = errors.New("petconform did not create it")

// ErrSigned means that the folder has a signed bundle.
var ErrSigned = errors.New("its bundle is signed")

// ErrUnfit means that the folder cannot be made, or that no file can be made in it.
var ErrUnfit = errors.New("name another folder with --out")

// ErrInUse means that another run uses the folder.
var ErrInUse = errors.New("another run of petconform works in it")

// OpenFolder creates and locks the folder of a new run. In the folder of an earlier run it removes the files of that
// run. It returns ErrNotOurs, ErrSigned or ErrInUse, wrapped, and then removes nothing.
func OpenFolder(dir string) (*Folder, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	if err = f.mark(underWay); err == nil {
		err = f.remove(f.withScripts(runFiles()))
	}
	return f.or(err)
}

// or returns the folder, or closes it because of an error.
func (f *Folder) or(err error) (*Folder, error) {
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, err
}

// ReopenFolder locks the folder of a run to write its report again. It keeps the recordings. Write replaces the files
// of the earlier report and removes its bundle; without a Write the folder stays unchanged. The errors are those of
// OpenFolder.
func ReopenFolder(dir string) (*Folder, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	if before, err := ownerOf(dir); err == nil && before.Schema != "" {
		f.before, f.owner.Interrupted = &before, before.Interrupted
	}
	f.earlier = f.withScripts(reportFiles())
	return f.or(f.mark(underWay))
}

// reportFiles names the files that are made from results and recordings.
func reportFiles() []string {
	return []string{ResultsFile, ReleaseFile, JUnitFile, SummaryFile, ReportFile, BundleFile, SumsFile}
}

// RecordingFiles returns the names of the recordings that a run may have, which are written during it. A run is judged
// again from them.
func RecordingFiles() []string { return []string{RecordingFile, LoadRecordingFile} }

func runFiles() []string { return append(RecordingFiles(), reportFiles()...) }

func openFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be created: %w; %w", dir, err, ErrUnfit)
	}
	if err := mayOpen(dir); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, RunFile), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w; %w", dir, err, ErrUnfit)
	}
	if err := lock.Take(file); err != nil {
		return nil, fmt.Errorf("the folder %s: %w; wait for it, or name another folder with --out (%w)", dir, ErrInUse,
			errors.Join(err, file.Close()))
	}
	return &Folder{dir: dir, file: file, owner: owner{Schema: folderSchema, Since: time.Now().UTC().Truncate(time.Second)}}, nil
}

// mayOpen returns an error if files that petconform did not create, or a signed bundle, would be lost.
func mayOpen(dir string) error {
	for _, name := range []string{PreparedFile, ApprovedFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("the folder %s: %w (%s), so its files are kept; name another folder with --out", dir, ErrSigned, name)
		}
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

// withScripts adds the names of an earlier report's scripts, which are numbered from 1.
func (f *Folder) withScripts(names []string) []string {
	for i := 0; ; i++ {
		name := explore.ScriptName(i)
		if !f.has(name) && !f.has(temporaryName(name)) {
			return names
		}
		names = append(names, name)
	}
}

func (f *Folder) has(name string) bool {
	_, err := os.Lstat(filepath.Join(f.dir, name))
	return err == nil
}

// remove removes files of an earlier run, and what was left of them if that run was killed while it wrote them.
func (f *Folder) remove(names []string) error {
	for _, name := range slices.Concat(names, temporary(names)) {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %s holds an earlier %s that cannot be removed: %w", f.dir, name, err)
		}
	}
	return nil
}

// intact returns an error that names a file of the run which was removed or replaced during the run.
func (f *Folder) intact() error {
	own, err := f.file.Stat()
	if err != nil {
		return err
	}
	for _, s := range append([]*Stream{{name: f.file.Name(), info: own}}, f.streams...) {
		if now, err := os.Stat(s.name); err != nil || !os.SameFile(now, s.info) {
			return fmt.Errorf("%s was removed or replaced during the run, so the run cannot be judged again; run petconform again, and change nothing in the folder meanwhile", s.name)
		}
	}
	return nil
}

// Write closes the recordings and writes the report of in, and the files in beside. It writes nothing, and returns an error, if a recording could
// not be written, if a file of the run was removed or replaced since it was created, or ErrKeyFound if any of the files
// or recordings contains a key.
func (f *Folder) Write(in Input, beside ...Artefact) error {
	for _, s := range f.streams {
		if err := s.Close(); err != nil {
			return err
		}
	}
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
	f.written = true
	return f.remove(slices.DeleteFunc(f.earlier, func(name string) bool { return slices.Contains(names, name) }))
}

// Written reports whether the run has its report.
func (f *Folder) Written() bool { return f.written }

// Add writes further files. Like Write, it writes nothing and returns ErrKeyFound if one of them contains a key of the
// run.
func (f *Folder) Add(files ...Artefact) error {
	if err := f.intact(); err != nil {
		return err
	}
	if err := keyFree(files, f.keys); err != nil {
		return err
	}
	return place(f.dir, files)
}

// Complete records in run.json that the run has ended and all of its files are written.
func (f *Folder) Complete() error {
	if f.owner.Interrupted {
		return f.mark(aborted)
	}
	return f.mark(complete)
}

// Interrupted records that a signal has ended the run. Its report says how far it came; Complete leaves it aborted.
func (f *Folder) Interrupted() { f.owner.Interrupted = true }

// Close unlocks the folder. If Complete was not called, run.json says that the run was aborted.
func (f *Folder) Close() error {
	var err error
	switch {
	case f.owner.finished() || f.intact() != nil:
	case f.before != nil:
		f.owner = *f.before
		err = f.mark(f.owner.State)
	default:
		err = f.mark(aborted)
	}
	return errors.Join(err, lock.Give(f.file), f.file.Close())
}

func (f *Folder) mark(state string) error {
	f.owner.State = state
	data, err := Marshal(f.owner)
	if err != nil {
		return err
	}
	if err := f.file.Truncate(0); err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	_, err = f.file.WriteAt(data, 0)
	return err
}
