package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"petconform/reports/decision"
	"petconform/reports/page"
	"petconform/reports/safe"
)

// The files of a run's folder. The recordings are written during the run, the others are formats of its view.
const (
	ResultsFile   = "results.json"
	JUnitFile     = "junit.xml"
	SummaryFile   = "summary.md"
	ReportFile    = "report.html"
	RecordingFile = "recording.jsonl"
	// LoadRecordingFile is the recording of a load, alone or in a sign-off.
	LoadRecordingFile = "load-recording.jsonl"
	// BundleFile is the archive of a sign-off, whose check and load are whole.
	BundleFile = "bundle.zip"
	// SumsFile has the digests of all files of the bundle, in the bundle and beside it, where people sign it.
	SumsFile = "SHA256SUMS"
	// PreparedFile and ApprovedFile are the signatures of a bundle, which lie in it or beside it.
	PreparedFile = "prepared.sig"
	ApprovedFile = "approved.sig"
)

// Format prints a view into the file of a name. The terminal is one more, but in no file.
type Format struct {
	Name  string
	Print func(io.Writer, View) error
}

// Formats are those that a run's folder has.
var Formats = []Format{{ResultsFile, results}, {JUnitFile, JUnit}, {SummaryFile, Summary},
	{ReportFile, func(w io.Writer, v View) error { return page.Write(w, pageOf(v)) }}}

// Render returns every file of the report. It depends on the view alone. No control character and no mark of the text's
// direction is in a file for people or CI systems, whatever a target or a recording has in any place.
func Render(v View) (Files, error) {
	files := Files{}
	for _, f := range Formats {
		var b bytes.Buffer
		if err := f.Print(&b, v); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		files[f.Name] = b.Bytes()
		if filepath.Ext(f.Name) != ".json" {
			files[f.Name] = []byte(safe.Text(b.String()))
		}
	}
	return files, nil
}

func results(w io.Writer, v View) error {
	_, err := w.Write(v.results)
	return err
}

// released is the member release of results.json: the decision, and the gates that were asked for, with which the
// report is rendered again.
type released struct {
	decision.Decision
	Policy decision.Policy `json:"policy"`
}

// Marshal writes JSON for people too: indented, without escaping what only matters inside HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
