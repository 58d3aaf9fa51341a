// Package bundle makes the archive that a release is filed with, and verifies one: digests, signatures, the verdict
// judged again from the recording, and the report rendered again.
package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/safe"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
)

// The files of a bundle beside those of the report.
const (
	SumsFile    = "SHA256SUMS"
	WaiversFile = "waivers.yaml"
	// The run before, which a comparison is rendered from.
	PreviousResults   = previousFolder + reports.ResultsFile
	PreviousRecording = previousFolder + reports.RecordingFile
	previousFolder    = "previous/"
)

// Names are all files that a bundle may hold.
func Names() []string {
	names := []string{reports.ResultsFile, reports.ReleaseFile, reports.ReportFile, reports.JUnitFile, reports.SummaryFile,
		WaiversFile, PreviousResults, SumsFile}
	for _, name := range reports.RecordingFiles() {
		names = append(names, name, previousFolder+name)
	}
	return names
}

// Files are the contents of a bundle by name.
type Files map[string][]byte

// Collect returns the files of the bundle of a run: the report, rendered from in, and the recordings in dir, the folder
// of the run. previousDir is the folder of the earlier run that it is compared with, or "". The error wraps ErrKeyFound
// of package reports if a file contains a key.
func Collect(dir, previousDir string, in reports.Input) (Files, error) {
	files := Files{}
	for folder, of := range map[string]string{"": dir, previousFolder: previousDir} {
		if of == "" {
			continue
		}
		for _, name := range reports.RecordingFiles() {
			data, err := bounded.ReadFile(filepath.Join(of, name), reports.MaxRecording)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, fmt.Errorf("the bundle's %s: %w", folder+name, err)
			}
			files[folder+name] = data
		}
	}
	if in.RecordingDigest == "" && files[reports.RecordingFile] != nil {
		in.RecordingDigest = safe.Digest(files[reports.RecordingFile])
	}
	if err := files.addInputs(in); err != nil {
		return nil, err
	}
	rendered, err := reports.Render(in)
	if err != nil {
		return nil, err
	}
	for _, a := range rendered {
		files[a.Name] = a.Data
	}
	files[SumsFile] = files.sums()
	return files, files.scan(in.Redactor)
}

// addInputs adds the other inputs of the report: waivers and the earlier run.
func (f Files) addInputs(in reports.Input) error {
	if in.Waivers != nil {
		f[WaiversFile] = in.Waivers.Source
	}
	if in.Previous == nil {
		return nil
	}
	var err error
	f[PreviousResults], err = reports.Marshal(in.Previous.Results)
	return err
}

// scan refuses a bundle with a key in it.
func (f Files) scan(keys *exchange.Redactor) error {
	if keys == nil {
		return nil
	}
	for _, name := range f.names() {
		if reports.KeyIn(keys, name, f[name]) {
			return fmt.Errorf("%w: %s of the bundle", reports.ErrKeyFound, name)
		}
	}
	return nil
}

func (f Files) names() []string {
	names := make([]string, 0, len(f))
	for name, data := range f {
		if data != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func known(name string) bool { return slices.Contains(Names(), name) }

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

// Subject is what a sign-off record names: the digest of SHA256SUMS, and with it of every file.
func (f Files) Subject() string { return safe.Digest(f[SumsFile]) }
