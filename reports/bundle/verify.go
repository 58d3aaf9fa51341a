package bundle

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/client"
)

// Options say how a bundle is verified.
type Options struct {
	// Tool is the version that verifies. The report of another version is not rendered again. Empty means the same.
	Tool string
	// AllowedSigners is a file in the format of ssh-keygen(1). Without it no signature is checked.
	AllowedSigners string
	// Unsigned accepts a bundle without its signatures.
	Unsigned bool
	// Waivers accepts a bundle that says RELEASE WITH WAIVERS.
	Waivers bool
	// Signatures are those that lie in the bundle or beside it.
	Signatures Signatures
	// Policy is what the release is asked for beyond the policy of the bundle.
	Policy decision.Policy
	// Target is the base address of the service that is to be released, and Build its build, as the bundle has to name
	// them; "" allows any.
	Target, Build string
	// MaxAge is the longest time between Now and the start of the oldest run in the bundle; 0 allows any.
	MaxAge time.Duration
	Now    time.Time
}

// Verification is what was verified, and what the bundle says.
type Verification struct {
	Options
	Lines []Line
	// Signed says who prepared and who approved the bundle; "" unless two allowed signers did.
	Signed string
	// View is of what the bundle's recordings show. Results.json, which says the same in an intact bundle, is not
	// believed.
	View reports.View
	// Subject is the digest of SHA256SUMS, and with it of every file.
	Subject string
}

func (v *Verification) add(is Kind, format string, a ...any) {
	v.Lines = append(v.Lines, *lineOf(is, format, a...))
}

// Verify checks a bundle: every digest, every signature, the verdict judged again and every file made again. It names
// whatever differs and goes on, so that one finding does not hide another.
func Verify(ctx context.Context, files Files, o Options) Verification {
	v := Verification{Subject: safe.Digest(files[SumsFile]), Options: o}
	v.digests(files)
	in, err := files.open(o.Tool)
	if err != nil {
		v.add(Altered, "%v", err)
	} else {
		weighed := in
		weighed.Policy = in.Policy.With(decision.SignOff).With(o.Policy)
		v.View = reports.Look(weighed)
		v.again(files, in, o.Tool)
		v.release(o)
	}
	v.signatures(ctx, files[SumsFile], o)
	return v
}

// digests compares SHA256SUMS with what it has to be, and names the files that it lists otherwise.
func (v *Verification) digests(files Files) {
	if bytes.Equal(files.sums(), files[SumsFile]) {
		v.add(Holds, "the digests of %s", spec.Count(len(files)-1, "file"))
		return
	}
	v.add(Altered, "%s does not list the files of the bundle as they are", SumsFile)
	for _, name := range Names() {
		listed := bytes.Contains(files[SumsFile], []byte("  "+name+"\n"))
		if name != SumsFile && (listed != (files[name] != nil) || listed && !bytes.Contains(files[SumsFile], []byte(files.sum(name)))) {
			v.add(Altered, "%s is not the file that %s lists", name, SumsFile)
		}
	}
}

// open puts together what the report was made from: what the recordings show, and the files that people gave.
func (f Files) open(tool string) (in reports.Input, err error) {
	under := func(folder string) (reports.Input, error) {
		files := reports.Files{}
		for _, name := range ofRun() {
			if data := f[folder+name]; data != nil {
				files[name] = data
			}
		}
		return reports.Opening{Tool: tool}.OpenFiles(files)
	}
	if in, err = under(""); err != nil {
		return in, err
	}
	if data := f[WaiversFile]; data != nil {
		if in.Waivers, err = waiver.Parse(data); err != nil {
			return in, fmt.Errorf("%s: %w", WaiversFile, err)
		}
	}
	if f[PreviousResults] != nil {
		before, err := under(previous)
		if err != nil {
			return in, fmt.Errorf("%s: %w", PreviousResults, err)
		}
		in.Previous = &before
	}
	return in, nil
}

// again compares what results.json claims with what the recordings show, and each file with the one that is made from
// them again. Another version may judge and render otherwise, so its files are not held against this one.
func (v *Verification) again(files Files, in reports.Input, tool string) {
	is, by := Altered, in.Results.Tool
	if tool != "" && tool != by {
		is = Noted
		v.add(is, "made by %s; judged again by %s: %s; the page was not rendered again", by, tool, v.View.Word)
	}
	v.add(Holds, "the verdict, judged again from %s", strings.Join(slices.Sorted(maps.Keys(in.Recordings)), " and "))
	if is == Noted {
		return
	}
	made, err := Collect(in)
	if err != nil {
		v.add(Altered, "the report cannot be rendered again: %v", err)
	} else if maps.EqualFunc(made, files, bytes.Equal) {
		v.add(Holds, "the report, made again from them: each byte is the same")
	}
	for _, name := range Names() {
		if err == nil && (!bytes.Equal(made[name], files[name]) || (made[name] == nil) != (files[name] == nil)) {
			v.add(Altered, "%s is not what is made from the recordings", name)
		}
	}
}

// clockDifference is how far the clock of the run may be ahead of Now: clocks that NTP keeps differ by less than
// seconds, others by minutes. A run from further in the future would never become too old.
const clockDifference = 5 * time.Minute

// release compares what the bundle is about with what is to be released.
func (v *Verification) release(want Options) {
	of := v.View.Results.Target
	for _, c := range []struct{ what, is, wanted string }{{"target", address(of.URL), address(want.Target)}, {"build", of.Build, want.Build}} {
		switch c.wanted {
		case "":
		case c.is:
			v.add(Holds, "the %s, %s", c.what, c.is)
		default:
			v.add(NotThis, "the %s that was tested is %q, and %q is to be released", c.what, c.is, c.wanted)
		}
	}
	started, ended := v.View.Results.Started, v.View.Results.Ended
	switch age := want.Now.Sub(started).Round(time.Second); {
	case want.MaxAge <= 0:
	case started.IsZero() || ended.IsZero():
		v.add(NotThis, "a run has no time, so its age is not known; at most %s is accepted", want.MaxAge)
	case age > want.MaxAge:
		v.add(NotThis, "the oldest run began %s ago, at %s; at most %s is accepted", age, safe.Time(started), want.MaxAge)
	case ended.Sub(want.Now) > clockDifference:
		v.add(NotThis, "the last run ended at %s, which is in the future; correct the clock of this machine", safe.Time(ended))
	default:
		v.add(Holds, "the age, %s of at most %s", max(age, 0), want.MaxAge)
	}
}

// address writes a base address in one way: without the default port, and with its host in lower case.
func address(raw string) string {
	u, err := client.ParseBase(raw)
	if err != nil {
		return raw
	}
	u.Host = strings.ToLower(strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme]))
	return u.String()
}
