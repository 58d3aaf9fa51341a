package reports

import (
	"bytes"
	"encoding/json"
	"fmt"

	"petconform/reports/decision"
	"petconform/reports/page"
	"petconform/reports/safe"
)

// The files of a run's folder. The recordings are written during the run, the others by Write.
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

// Artefact is a file of the report.
type Artefact struct {
	Name string
	Data []byte
}

// release is release.json: the decision, and what is needed to render the report again.
type release struct {
	Schema string `json:"schema"`
	// Word is that of the results.
	Word string `json:"word"`
	decision.Decision
	Policy  decision.Policy `json:"policy"`
	Scanned bool            `json:"scanned"`
	// Results and Recording are digests: SHA-256 in hexadecimal.
	Results   string `json:"resultsSha256"`
	Recording string `json:"recordingSha256,omitempty"`
	Waivers   string `json:"waiversSha256,omitempty"`
}

const releaseSchema = "petconform/release/1"

// Render returns every file of the report. It depends on in alone, so the same input leads to the same bytes.
func Render(in Input) ([]Artefact, error) {
	out := Weigh(in)
	results, err := Marshal(out.Results)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ResultsFile, err)
	}
	src := page.Source{Facts: out.Facts, Decision: out.Decision, ResultsDigest: safe.Digest(results), RecordingDigest: in.RecordingDigest}
	if in.Previous != nil {
		src.Previous = &in.Previous.Results
	}
	if in.Waivers != nil {
		src.WaiversDigest = safe.Digest(in.Waivers.Source)
	}
	rel, err := Marshal(release{releaseSchema, out.Results.Word, out.Decision, in.Policy, out.Scanned,
		src.ResultsDigest, src.RecordingDigest, src.WaiversDigest})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ReleaseFile, err)
	}
	junit, err := JUnit(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", JUnitFile, err)
	}
	html, err := page.Render(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ReportFile, err)
	}
	files := []Artefact{
		{ResultsFile, results},
		{ReleaseFile, rel},
		{JUnitFile, junit},
		{SummaryFile, Summary(out)},
		{ReportFile, html},
	}
	return files, nil
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
