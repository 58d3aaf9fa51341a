// Package bundle makes the archive that a release is filed with, and verifies one: digests, signatures, the verdict
// judged again from the recordings, and the report rendered again.
package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/safe"
)

// The files of a bundle beside those of the report.
const (
	SumsFile    = reports.SumsFile
	WaiversFile = "waivers.yaml"
	// previous is the folder of the earlier run that the report compares with.
	previous        = "previous/"
	PreviousResults = previous + reports.ResultsFile
)

// recordings are those that a bundle may hold: of its run, and of the earlier one.
var recordings = []string{reports.RecordingFile, reports.LoadRecordingFile, previous + reports.RecordingFile,
	previous + reports.LoadRecordingFile}

// Names are all files that a bundle may hold.
func Names() []string {
	return append(slices.Clone(recordings), reports.ResultsFile, reports.ReportFile, reports.JUnitFile, reports.SummaryFile,
		WaiversFile, PreviousResults, SumsFile)
}

// Files are the contents of a bundle by name.
type Files reports.Files

// Collect returns the files of the bundle of a run: the report of in, and what it is made from. The recordings are from
// dir, the folder of the run, and those of the earlier run that it is compared with from previousDir, or "". The error
// wraps ErrKeyFound of package reports if a file contains a key.
func Collect(dir, previousDir string, in reports.Input) (Files, error) {
	recorded := Files{}
	for folder, from := range map[string]string{"": dir, previous: previousDir} {
		if from == "" {
			continue
		}
		files, err := reports.ReadFiles(from)
		if err != nil {
			return nil, fmt.Errorf("the bundle: %w", err)
		}
		for name, data := range files {
			recorded[folder+name] = data
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
	for _, name := range recordings {
		if f[name] != nil {
			made[name] = f[name]
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
