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
	ReleaseFile   = "release.json"
	JUnitFile     = "junit.xml"
	SummaryFile   = "summary.md"
	ReportFile    = "report.html"
	RecordingFile = "recording.jsonl"
	// LoadRecordingFile is the recording of a load, alone or in a sign-off.
	LoadRecordingFile = "load-recording.jsonl"
	// BundleFile is the archive of a sign-off.
	BundleFile = "bundle.zip"
	// SumsFile has the digests of all files of the bundle, in the bundle and beside it, where people sign it.
	SumsFile = "SHA256SUMS"
	// PreparedFile and ApprovedFile are the signatures of a bundle, which lie beside it.
	PreparedFile = "prepared.sig"
	ApprovedFile = "approved.sig"
)

// Format prints a view into the file of a name. The terminal is one more, but in no file.
type Format struct {
	Name  string
	Print func(io.Writer, View) error
}

// Formats are those that a run's folder has.
var Formats = []Format{{ResultsFile, results}, {ReleaseFile, release}, {JUnitFile, JUnit}, {SummaryFile, Summary},
	{ReportFile, func(w io.Writer, v View) error { return page.Write(w, pageOf(v)) }}}

// Artefact is a file of the report.
type Artefact struct {
	Name string
	Data []byte
}

// Render returns every file of the report. It depends on the view alone. No control character and no mark of the text's
// direction is in a file for people or CI systems, whatever a target or a recording has in any place.
func Render(v View) (files []Artefact, err error) {
	for _, f := range Formats {
		var b bytes.Buffer
		if err := f.Print(&b, v); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		data := b.Bytes()
		if filepath.Ext(f.Name) != ".json" {
			data = []byte(safe.Text(b.String()))
		}
		files = append(files, Artefact{f.Name, data})
	}
	return files, nil
}

func results(w io.Writer, v View) error {
	_, err := w.Write(v.results)
	return err
}

// releaseJSON is release.json: the decision, and what is needed to render the report again.
type releaseJSON struct {
	Schema string `json:"schema"`
	// Word and Run are those of the results.
	Word string `json:"word"`
	Run  string `json:"run"`
	decision.Decision
	Policy decision.Policy `json:"policy"`
	// Results and Recording are digests: SHA-256 in hexadecimal.
	Results   string `json:"resultsSha256"`
	Recording string `json:"recordingSha256,omitempty"`
	Waivers   string `json:"waiversSha256,omitempty"`
}

const releaseSchema = "petconform/release/1"

func release(w io.Writer, v View) error {
	return encode(w, releaseJSON{releaseSchema, v.Results.Word, v.Results.Run, v.Decision, v.Policy,
		v.ResultsDigest, v.RecordingDigest, v.WaiversDigest})
}

// Marshal writes JSON for people too: indented, without escaping what only matters inside HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b, v)
	return b.Bytes(), err
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
