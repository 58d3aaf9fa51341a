package bundle

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/reports/signoff"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Options say how a bundle is verified.
type Options struct {
	// Judge judges the recordings of checks again. Nil means the judge of reports.Opening.
	Judge func(*exchange.Recording) verdict.Results
	// AllowedSigners is a file in the format of ssh-keygen(1). Without it no signature is checked.
	AllowedSigners string
	// Unsigned accepts a bundle without its signatures.
	Unsigned bool
	// Release is what is to be released.
	Release Release
	// Records are the sign-off records that lie beside the bundle.
	Records []signoff.Signed
}

type Verification struct {
	// Held lists what was checked and is right, Problems what is wrong, and Unchecked what could not be checked, with
	// the reason.
	Held, Problems, Unchecked []string
	// Refused has the kinds of Problems, each once.
	Refused []Refusal
	// SignedOff says that two allowed signers prepared and approved the bundle, and that nobody disagrees. Unsigned
	// says that signatures were not asked for.
	SignedOff, Unsigned bool
	// Decision and Results are what the bundle's recordings show. Results.json, which says the same in an intact
	// bundle, is not believed.
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

// problem adds a problem with the bundle or a record: it is not what was made or signed.
func (v *Verification) problem(format string, a ...any) { v.refuse(Altered, format, a...) }

func (v *Verification) refuse(kind Refusal, format string, a ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, a...))
	if !slices.Contains(v.Refused, kind) {
		v.Refused = append(v.Refused, kind)
	}
}
func (v *Verification) unchecked(format string, a ...any) {
	v.Unchecked = append(v.Unchecked, fmt.Sprintf(format, a...))
}

// Verify checks a bundle: every digest, every signature, the verdict judged again and every file rendered again. It
// names whatever differs and goes on, so that one finding does not hide another.
func Verify(ctx context.Context, files Files, o Options) Verification {
	v := Verification{Subject: files.Subject(), Unsigned: o.Unsigned}
	v.digests(files)
	run, err := files.open(o)
	if err != nil {
		v.problem("%v", err)
	} else {
		out := reports.Weigh(run.Input)
		v.Results, v.Decision = out.Results, out.Decision
		v.reference()
		v.judge(run)
		v.render(files, run.Input)
		v.release(o.Release)
	}
	v.signatures(ctx, o)
	return v
}

// reference checks the address of a run that the results call one of the built-in reference service, which listens on
// loopback only.
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
		case safe.Digest(files[name]) != sum:
			v.problem("%s was changed: %s lists the digest %s, but the file has %s", name, SumsFile, sum, safe.Digest(files[name]))
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

// open puts together what the report was made from: what the recordings show, and the files that people gave.
func (f Files) open(o Options) (reports.Run, error) {
	opening := reports.Opening{Judge: o.Judge}
	run, err := opening.OpenFiles(f.under(""))
	if err != nil {
		return run, err
	}
	if run.Claimed == nil {
		return run, fmt.Errorf("%s is missing", reports.ResultsFile)
	}
	if data := f[WaiversFile]; data != nil {
		if run.Waivers, err = waiver.Parse(data); err != nil {
			return run, fmt.Errorf("%s: %w", WaiversFile, err)
		}
	}
	if f[PreviousResults] == nil {
		return run, nil
	}
	before, err := opening.OpenFiles(f.under(previousFolder))
	if err != nil {
		return run, fmt.Errorf("%s: %w", PreviousResults, err)
	}
	run.Previous = &before.Input
	return run, nil
}

// under returns the files of a run in a folder of the bundle.
func (f Files) under(folder string) reports.Files {
	return func(name string, most int64) (io.ReadCloser, error) {
		data := f[folder+name]
		switch {
		case data == nil:
			return nil, fs.ErrNotExist
		case int64(len(data)) > most:
			return nil, fmt.Errorf("%s is larger than %d MiB", folder+name, most>>20)
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}
}

// judge compares what results.json claims with what the recordings show. render compares its bytes.
func (v *Verification) judge(run reports.Run) {
	if run.Results.Unjudged != "" {
		v.problem("the verdict cannot be judged again: %s", run.Results.Unjudged)
		return
	}
	for _, d := range run.Differs {
		v.problem("judged again, %s", d)
	}
	if len(run.Differs) == 0 {
		v.held("the verdict, judged again from %s", strings.Join(slices.Sorted(maps.Keys(run.Recordings)), " and "))
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
