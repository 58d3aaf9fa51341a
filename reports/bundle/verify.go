package bundle

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Options say how a bundle is verified.
type Options struct {
	// Tool is the version that verifies. The report of another version is not rendered again. Empty means the same.
	Tool string
	// AllowedSigners is a file in the format of ssh-keygen(1). Without it no signature is checked.
	AllowedSigners string
	// Unsigned accepts a bundle without its signatures.
	Unsigned bool
	// Signatures are those that lie beside the bundle.
	Signatures Signatures
	// Release is what is to be released, and Policy what it is asked for beyond the policy of the bundle.
	Release Release
	Policy  decision.Policy
}

// Line is one thing that was verified.
type Line struct {
	Is   Kind
	Text string
}

func (l Line) holds() bool { return l.Is.heading == "" }

// Verification is what was verified, and what the bundle says.
type Verification struct {
	Lines []Line
	// Signed says who prepared and who approved the bundle; "" unless two allowed signers did. Unsigned says that
	// signatures were not asked for.
	Signed   string
	Unsigned bool
	// Decision and Results are what the bundle's recordings show. Results.json, which says the same in an intact
	// bundle, is not believed.
	Decision decision.Decision
	Results  verdict.Results
	// Subject is the digest of SHA256SUMS, and with it of every file.
	Subject string
	policy  decision.Policy
}

// OK reports whether everything was checked that is asked for, and nothing is wrong.
func (v Verification) OK() bool {
	return !slices.ContainsFunc(v.Lines, func(l Line) bool { return !l.holds() })
}

func (v *Verification) add(is Kind, format string, a ...any) {
	v.Lines = append(v.Lines, *lineOf(is, format, a...))
}

// Verify checks a bundle: every digest, every signature, the verdict judged again and every file made again. It names
// whatever differs and goes on, so that one finding does not hide another.
func Verify(ctx context.Context, files Files, o Options) Verification {
	v := Verification{Subject: safe.Digest(files[SumsFile]), Unsigned: o.Unsigned}
	v.digests(files)
	run, err := files.open(o.Tool)
	if err != nil {
		v.add(Altered, "%v", err)
	} else {
		weighed := run.Input
		weighed.Policy = run.Policy.With(decision.SignOff).With(o.Policy)
		view := reports.Look(weighed)
		v.Results, v.Decision, v.policy = view.Results, view.Decision, weighed.Policy
		v.again(files, run, o.Tool)
		v.release(o.Release)
	}
	v.signatures(ctx, files[SumsFile], o)
	return v
}

// digests compares SHA256SUMS with what it has to be, and names the files that it lists otherwise.
func (v *Verification) digests(files Files) {
	sums := files.sums()
	if bytes.Equal(sums, files[SumsFile]) {
		v.add(Holds, "the digests of %s", spec.Count(len(files)-1, "file"))
		return
	}
	v.add(Altered, "%s does not list the files of the bundle as they are", SumsFile)
	for _, name := range Names() {
		listed := func(sums []byte) string { return string(regexp.MustCompile(`(?m)^.*  ` + name + `$`).Find(sums)) }
		if listed(sums) != listed(files[SumsFile]) {
			v.add(Altered, "%s is not the file that %s lists", name, SumsFile)
		}
	}
}

// open puts together what the report was made from: what the recordings show, and the files that people gave.
func (f Files) open(tool string) (reports.Run, error) {
	opening := reports.Opening{Tool: tool}
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
	before, err := opening.OpenFiles(f.under(previous))
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

// again compares what results.json claims with what the recordings show, and each file with the one that is made from
// them again. Another version may judge and render otherwise, so its files are not held against this one.
func (v *Verification) again(files Files, run reports.Run, tool string) {
	if run.Results.Unjudged != "" {
		v.add(Altered, "the verdict cannot be judged again: %s", run.Results.Unjudged)
		return
	}
	is := Altered
	if by := run.Results.Tool; tool != "" && tool != by {
		is = Noted
		v.add(Noted, "made by %s; judged again by %s: %s; the page was not rendered again", by, tool, v.Decision.Word)
	}
	for _, d := range run.Differs {
		v.add(is, "judged again, %s", d)
	}
	if len(run.Differs) == 0 {
		v.add(Holds, "the verdict, judged again from %s", strings.Join(slices.Sorted(maps.Keys(run.Recordings)), " and "))
	}
	if is == Noted {
		return
	}
	recordings := maps.Clone(files)
	maps.DeleteFunc(recordings, func(name string, _ []byte) bool {
		return !slices.Contains(reports.RecordingFiles(), strings.TrimPrefix(name, previous))
	})
	made, err := recordings.rendered(run.Input)
	if err != nil {
		v.add(Altered, "the report cannot be rendered again: %v", err)
		return
	}
	same := true
	for _, name := range Names() {
		if !bytes.Equal(made[name], files[name]) {
			same = false
			v.add(Altered, "%s is not what is made from the recordings", name)
		}
	}
	if same {
		v.add(Holds, "the report, made again from them: each byte is the same")
	}
}

func lineOf(is Kind, format string, a ...any) *Line { return &Line{is, fmt.Sprintf(format, a...)} }
