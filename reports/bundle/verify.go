package bundle

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/signoff"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Judge judges the recordings of a bundle again, without waivers. The keys of recordings are file names, like recording.jsonl and
// load-recording.jsonl.
type Judge func(recordings map[string][]byte) (verdict.Results, error)

// Options say how a bundle is verified.
type Options struct {
	// Judge judges the recordings again. If it is nil, the verification lists the verdict as unchecked.
	Judge Judge
	// AllowedSigners is a file in the format of ssh-keygen(1). Without it no SSH signature is checked.
	AllowedSigners string
	// PublicKeys are files of the keys that signers used with cosign, in PEM.
	PublicKeys []string
	// Records are the sign-off records that lie beside the bundle.
	Records []signoff.Signed
}

// Verification is what a verification found.
type Verification struct {
	// Held lists what was checked and is right, Problems what is wrong, and Unchecked what could not be checked, with the reason.
	Held, Problems, Unchecked []string
	// Decision and Results are what the bundle says.
	Decision decision.Decision
	Results  verdict.Results
	// Subject is the digest that sign-off records have to name.
	Subject string
}

// OK reports whether everything was checked and nothing is wrong.
func (v Verification) OK() bool { return len(v.Problems) == 0 && len(v.Unchecked) == 0 }

func (v *Verification) held(format string, a ...any) {
	v.Held = append(v.Held, fmt.Sprintf(format, a...))
}
func (v *Verification) problem(format string, a ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, a...))
}
func (v *Verification) unchecked(format string, a ...any) {
	v.Unchecked = append(v.Unchecked, fmt.Sprintf(format, a...))
}

// Verify checks a bundle: every digest, every signature, the verdict judged again and every file rendered again. It names
// whatever differs and goes on, so that one finding does not hide another.
func Verify(ctx context.Context, files Files, o Options) Verification {
	v := Verification{Subject: files.Subject()}
	v.digests(files)
	in, err := files.input()
	if err != nil {
		v.problem("%v", err)
	} else {
		v.Results, v.Decision = in.Results, reports.Weigh(in).Decision
		v.reference()
		v.judge(files, in, o.Judge)
		v.render(files, in)
	}
	v.signatures(ctx, o)
	return v
}

// reference checks the address of a run that the results call one of the built-in reference service, which listens on loopback
// only.
func (v *Verification) reference() {
	u, err := url.Parse(v.Results.Target.URL)
	if err != nil {
		v.problem("the target %q is not an address: %v", v.Results.Target.URL, err)
		return
	}
	ip := net.ParseIP(u.Hostname())
	if v.Results.Target.Reference && (ip == nil || !ip.IsLoopback()) {
		v.problem("the results say that the built-in reference service was judged at %s, but it listens on loopback only", v.Results.Target.URL)
	}
}

func (v *Verification) digests(files Files) {
	listed, wrong := map[string]bool{}, len(v.Problems)
	for line := range strings.Lines(string(files[SumsFile])) {
		sum, name, ok := strings.Cut(strings.TrimRight(line, "\n"), "  ")
		switch {
		case !ok || listed[name]:
			v.problem("%s: the line %q is not the digest of a file, or repeats one", SumsFile, line)
		case files[name] == nil:
			v.problem("%s is listed in %s but is not in the bundle", name, SumsFile)
		case digest(files[name]) != sum:
			v.problem("%s was changed: %s lists the digest %s, but the file has %s", name, SumsFile, sum, digest(files[name]))
		}
		listed[name] = true
	}
	for _, name := range files.names() {
		if !listed[name] && name != SumsFile {
			v.problem("%s is in the bundle but not listed in %s", name, SumsFile)
		}
	}
	for _, name := range []string{reports.ResultsFile, reports.ReleaseFile, reports.ReportFile, reports.JUnitFile, reports.SummaryFile, SumsFile} {
		if files[name] == nil {
			v.problem("%s is missing from the bundle", name)
		}
	}
	if len(v.Problems) == wrong {
		v.held("the digests of %d files", len(listed))
	}
}

// input puts together what the report was made from.
func (f Files) input() (in reports.Input, err error) {
	if in.Results, err = reports.ParseResults(f[reports.ResultsFile]); err != nil {
		return in, fmt.Errorf("%s: %w", reports.ResultsFile, err)
	}
	if err = in.ReadRelease(f[reports.ReleaseFile]); err != nil {
		return in, fmt.Errorf("%s: %w", reports.ReleaseFile, err)
	}
	if data := f[reports.RecordingFile]; data != nil {
		if in.Recording, err = exchange.Read(bytes.NewReader(data)); err != nil {
			return in, fmt.Errorf("%s: %w", reports.RecordingFile, err)
		}
		in.RecordingDigest = digest(data)
	}
	if data := f[WaiversFile]; data != nil {
		if in.Waivers, err = waiver.Parse(data); err != nil {
			return in, fmt.Errorf("%s: %w", WaiversFile, err)
		}
	}
	if in.SignOff, err = f.signOff(); err != nil {
		return in, err
	}
	return in, f.previous(&in)
}

func (f Files) previous(in *reports.Input) (err error) {
	if f[PreviousResults] == nil {
		return nil
	}
	in.Previous = &reports.Input{}
	if in.Previous.Results, err = reports.ParseResults(f[PreviousResults]); err != nil {
		return fmt.Errorf("%s: %w", PreviousResults, err)
	}
	if data := f[PreviousRecording]; data != nil {
		if in.Previous.Recording, err = exchange.Read(bytes.NewReader(data)); err != nil {
			return fmt.Errorf("%s: %w", PreviousRecording, err)
		}
	}
	if data := f[PreviousRejudged]; data != nil {
		again, err := reports.ParseResults(data)
		if err != nil {
			return fmt.Errorf("%s: %w", PreviousRejudged, err)
		}
		in.Rejudged = &again
	}
	return nil
}

func (v *Verification) judge(files Files, in reports.Input, judge Judge) {
	recordings := map[string][]byte{}
	for _, name := range reports.RecordingFiles() {
		if files[name] != nil {
			recordings[name] = files[name]
		}
	}
	switch {
	case judge == nil:
		v.unchecked("the verdict was not judged again: no judge was given")
		return
	case len(recordings) == 0:
		v.problem("the bundle has no recording, so its verdict cannot be judged again")
		return
	}
	again, err := judge(recordings)
	if err != nil {
		v.problem("the recording cannot be judged again: %v", err)
		return
	}
	again = reports.Weigh(reports.Input{Results: again, Waivers: in.Waivers, Previous: in.Previous, Policy: in.Policy}).Results
	differences := Differences(in.Results, again)
	for _, d := range differences {
		v.problem("judged again, %s", d)
	}
	if len(differences) == 0 {
		v.held("the verdict, judged again from %s", strings.Join(slices.Sorted(maps.Keys(recordings)), " and "))
	}
}

func (v *Verification) render(files Files, in reports.Input) {
	again, err := reports.Render(in)
	if err != nil {
		v.problem("the report cannot be rendered again: %v", err)
		return
	}
	same := 0
	for _, a := range again {
		if i := firstDifference(a.Data, files[a.Name]); i >= 0 {
			v.problem("%s, rendered again, differs from byte %d on (another version of petconform may render it differently; this one was made by %s)", a.Name, i, in.Results.Tool)
			continue
		}
		same++
	}
	if same == len(again) {
		v.held("%d files, rendered again to the same bytes", same)
	}
}

// firstDifference returns the first byte in which a and b differ, -1 when they are the same.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}
