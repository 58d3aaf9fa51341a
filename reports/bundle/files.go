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
	names := []string{reports.ResultsFile, reports.ReportFile, reports.JUnitFile, reports.SummaryFile,
		WaiversFile, PreviousResults, SumsFile}
	for _, name := range reports.RecordingFiles() {
		names = append(names, name, previous+name)
	}
	return names
}

// Files are the contents of a bundle by name.
type Files reports.Files

// Collect returns the files of the bundle of a run: the report of in, and what it is made from. The recordings are from
// dir, the folder of the run, and those of the earlier run that it is compared with from previousDir, or "". The error
// wraps ErrKeyFound of package reports if a file contains a key.
func Collect(dir, previousDir string, in reports.Input) (Files, error) {
	recorded, folders := Files{}, map[string]string{"": dir}
	if previousDir != "" {
		folders[previous] = previousDir
	}
	for folder, from := range folders {
		for _, name := range reports.RecordingFiles() {
			data, err := bounded.ReadFile(filepath.Join(from, name), reports.MaxRecording)
			if err == nil {
				recorded[folder+name] = data
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("the bundle's %s: %w", folder+name, err)
			}
		}
	}
	files, err := recorded.with(in)
	for name, data := range files {
		if reports.KeyIn(in.Redactor, name, data) {
			return nil, fmt.Errorf("%w: %s of the bundle", reports.ErrKeyFound, name)
		}
	}
	return files, err
}

// with returns the bundle that is made from the recordings of f and from in.
func (f Files) with(in reports.Input) (Files, error) {
	made := Files{}
	for _, name := range reports.RecordingFiles() {
		for _, name := range []string{name, previous + name} {
			if f[name] != nil {
				made[name] = f[name]
			}
		}
	}
	report, err := reports.Render(reports.Look(in))
	maps.Copy(made, report)
	if in.Waivers != nil {
		made[WaiversFile] = in.Waivers.Source
	}
	if err == nil && in.Previous != nil {
		made[PreviousResults], err = reports.Marshal(in.Previous.Results)
	}
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
