// Package bundle makes the archive that a release is filed with, and verifies one: digests, signatures, the verdict
// judged again from the recordings, and the report rendered again.
package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/safe"
	"petconform/spec/bounded"
)

// The files of a bundle beside those of the report.
const (
	SumsFile    = reports.SumsFile
	WaiversFile = "waivers.yaml"
	// previous is the folder of the earlier run that the report compares with.
	previous        = "previous/"
	PreviousResults = previous + reports.ResultsFile
)

// Names are all files that a bundle may hold.
func Names() []string {
	names := []string{reports.ResultsFile, reports.ReleaseFile, reports.ReportFile, reports.JUnitFile, reports.SummaryFile,
		WaiversFile, PreviousResults, SumsFile}
	for _, name := range reports.RecordingFiles() {
		names = append(names, name, previous+name)
	}
	return names
}

// Files are the contents of a bundle by name.
type Files map[string][]byte

// Collect returns the files of the bundle of a run: those of the report of in, and the recordings, from dir, the folder
// of the run, and the recordings of the earlier run that it is compared with, from previousDir, or "". The error wraps
// ErrKeyFound of package reports if a file contains a key.
func Collect(dir, previousDir string, in reports.Input) (Files, error) {
	files := Files{}
	if err := files.given(in); err != nil {
		return nil, err
	}
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		if own, before := strings.CutPrefix(name, previous); before && previousDir != "" {
			path = filepath.Join(previousDir, own)
		}
		if files[name] != nil || name == SumsFile {
			continue
		}
		data, err := bounded.ReadFile(path, reports.MaxRecording)
		if err == nil {
			files[name] = data
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the bundle's %s: %w", name, err)
		}
	}
	for name, data := range files {
		if reports.KeyIn(in.Redactor, name, data) {
			return nil, fmt.Errorf("%w: %s of the bundle", reports.ErrKeyFound, name)
		}
	}
	files[SumsFile] = files.sums()
	return files, nil
}

// given adds what the report of in is made from beside the recordings.
func (f Files) given(in reports.Input) (err error) {
	if in.Waivers != nil {
		f[WaiversFile] = in.Waivers.Source
	}
	if in.Previous != nil {
		f[PreviousResults], err = reports.Marshal(in.Previous.Results)
	}
	return err
}

// again returns the bundle that is made from the recordings of f and from in.
func (f Files) again(in reports.Input) (Files, error) {
	made := Files{}
	for _, name := range reports.RecordingFiles() {
		for _, name := range []string{name, previous + name} {
			if f[name] != nil {
				made[name] = f[name]
			}
		}
	}
	report, err := reports.Render(reports.Look(in))
	for _, a := range report {
		made[a.Name] = a.Data
	}
	err = errors.Join(err, made.given(in))
	made[SumsFile] = made.sums()
	return made, err
}

func (f Files) names() []string { return slices.Sorted(maps.Keys(f)) }

// sums writes the digests as sha256sum does and reads.
func (f Files) sums() []byte {
	var b strings.Builder
	for _, name := range f.names() {
		if name != SumsFile {
			b.WriteString(f.sum(name))
		}
	}
	return []byte(b.String())
}

func (f Files) sum(name string) string { return fmt.Sprintf("%s  %s\n", safe.Digest(f[name]), name) }
