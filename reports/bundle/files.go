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

// ofRun are the files of a run that a bundle may hold: of its own, and in the folder previous of the earlier one.
func ofRun() []string { return append(reports.RecordingFiles(), reports.ResultsFile) }

// Names are all files that a bundle may hold.
func Names() []string {
	names := append(ofRun(), reports.ReportFile, reports.JUnitFile, reports.SummaryFile, WaiversFile, SumsFile)
	for _, name := range ofRun() {
		names = append(names, previous+name)
	}
	return names
}

// Files are the contents of a bundle by name.
type Files reports.Files

// Collect returns the files of the bundle of a run: its recordings, the report of in, and what that is made from. The
// error wraps ErrKeyFound of package reports if a file contains a key.
func Collect(in reports.Input) (Files, error) {
	report, err := reports.Render(reports.Look(in))
	made := Files{}
	maps.Copy(made, in.Recordings)
	maps.Copy(made, report)
	if in.Waivers != nil {
		made[WaiversFile] = in.Waivers.Source
	}
	if before := in.Previous; err == nil && before != nil {
		for name, data := range before.Recordings {
			made[previous+name] = data
		}
		made[PreviousResults], err = reports.Marshal(before.Results)
	}
	for name, data := range made {
		if reports.KeyIn(in.Redactor, name, data) {
			return nil, fmt.Errorf("%w: %s of the bundle", reports.ErrKeyFound, name)
		}
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
