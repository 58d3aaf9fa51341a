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

// Collect returns the files of the bundle of a run: the report, rendered from in, and the recordings in dir, the folder
// of the run. previousDir is the folder of the earlier run that it is compared with, or "". The error wraps ErrKeyFound
// of package reports if a file contains a key.
func Collect(dir, previousDir string, in reports.Input) (Files, error) {
	recordings := Files{}
	for folder, of := range map[string]string{"": dir, previous: previousDir} {
		for _, name := range reports.RecordingFiles() {
			data, err := bounded.ReadFile(filepath.Join(of, name), reports.MaxRecording)
			if of == "" || errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, fmt.Errorf("the bundle's %s: %w", folder+name, err)
			}
			recordings[folder+name] = data
		}
	}
	files, err := recordings.with(in)
	if err != nil {
		return nil, err
	}
	for _, name := range files.names() {
		if in.Redactor != nil && reports.KeyIn(in.Redactor, name, files[name]) {
			return nil, fmt.Errorf("%w: %s of the bundle", reports.ErrKeyFound, name)
		}
	}
	return files, nil
}

// with returns a bundle of recordings and of what else its report is rendered from.
func (f Files) with(in reports.Input) (Files, error) {
	out := maps.Clone(f)
	if in.RecordingDigest == "" && f[reports.RecordingFile] != nil {
		in.RecordingDigest = safe.Digest(f[reports.RecordingFile])
	}
	if in.Waivers != nil {
		out[WaiversFile] = in.Waivers.Source
	}
	var err error
	if in.Previous != nil {
		if out[PreviousResults], err = reports.Marshal(in.Previous.Results); err != nil {
			return nil, err
		}
	}
	rendered, err := reports.Render(reports.Look(in))
	for _, a := range rendered {
		out[a.Name] = a.Data
	}
	out[SumsFile] = out.sums()
	return out, err
}

func (f Files) names() []string { return slices.Sorted(maps.Keys(f)) }

// sums writes the digests as sha256sum does and reads.
func (f Files) sums() []byte {
	var b strings.Builder
	for _, name := range f.names() {
		if name != SumsFile {
			fmt.Fprintf(&b, "%s  %s\n", safe.Digest(f[name]), name)
		}
	}
	return []byte(b.String())
}
