package reports

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"petconform/reports/decision"
	"petconform/reports/internal/test/sample"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds what was written against what was looked at and found good.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	NoError(t, err)
	if !bytes.Equal(got, want) {
		a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
		n := 0
		for n < min(len(a), len(b))-1 && a[n] == b[n] {
			n++
		}
		t.Errorf("%s differs; look at it and, if it is right, run go test ./reports -update\nline %d of %d, which had %d:\n- %.400s\n+ %.400s", name, n+1, len(b), len(a), a[n], b[n])
	}
}

const waiversYAML = `
  - id: W-1
    requirement: LIST-5
    reason: The default is mended in the next release.
    risk: A listing without a limit is larger than a client expects.
    ticket: PETS-412
    owner: Ada Vance
    approver: Noor Idris
    from: 2026-03-01
    ends: 2026-04-01
  - id: W-2
    requirement: CREATE-9
    reason: Decoder is being replaced.
    risk: A fraction is cut off.
    ticket: PETS-398
    owner: Ada Vance
    approver: Noor Idris
    from: 2026-01-01
    ends: 2026-03-01
`

// small are the requirements of the runs of the golden files, which are small enough to be read.
var small = []spec.ID{"LIST-3", "LIST-5", "LIST-8", "LIST-13", "CREATE-9", "AUTH-7", "ERROR-3", "RATE-6", "RATE-13", "GET-5", "SERVICE-5"}

// only keeps the requirements that are named, and the checks that prove them.
func only(r sample.Run, ids []spec.ID) sample.Run {
	named := func(id spec.ID) bool { return slices.Contains(ids, id) }
	res := &r.Results
	res.Requirements = slices.DeleteFunc(slices.Clone(res.Requirements), func(q verdict.Requirement) bool { return !named(q.ID) })
	res.Checks = slices.DeleteFunc(slices.Clone(res.Checks), func(c verdict.Check) bool { return !slices.ContainsFunc(c.Requirements, named) })
	res.Observations = slices.DeleteFunc(slices.Clone(res.Observations), func(o verdict.Observation) bool { return !named(o.Requirement) })
	res.Created = res.Created[:2]
	return r
}

// failing makes requirements of a lawful run fail, each by a check of its own.
func failing(ids ...spec.ID) sample.Run {
	r := sample.Good()
	r.Results.Verdict = verdict.Deviates
	for i, q := range r.Results.Requirements {
		if !slices.Contains(ids, q.ID) {
			continue
		}
		r.Results.Requirements[i].Verdict = verdict.Failed
		for j, c := range r.Results.Checks {
			if slices.Contains(c.Requirements, q.ID) && c.Verdict == verdict.Passed {
				r.Results.Checks[j].Verdict = verdict.Failed
				r.Results.Checks[j].Findings = []verdict.Finding{{Requirement: q.ID, Exchange: 6 + i%8, Message: "what is asked for", Expected: "what the interface says", Actual: "something else",
					Hint: "Usually it is forgotten. Remember it."}}
			}
		}
	}
	r.Results.Word = r.Results.InWords()
	return r
}

// signedOff is a run with a load whose charts are small.
func signedOff(r sample.Run) sample.Run {
	load := sample.Load("Free")
	p := &load.Plans[0]
	p.Steps = p.Steps[:4]
	return r.With(load)
}

func scenarios(t *testing.T) map[string]Input {
	input := func(r sample.Run) Input {
		return Input{Results: r.Results, Recording: r.Recording, Digests: map[string]string{RecordingFile: strings.Repeat("0123abcd", 8)}, Redactor: exchange.NewRedactor(exchange.NewSecret("a-key-that-is-secret"))}
	}
	start := sample.Good().Results.Started
	nobody := Input{Results: Unjudged(verdict.Results{Kind: "check", Run: "r-7f3a", Tool: "petconform 0.3.0+9c1d2e7", Started: start, Ended: start, AsOf: start,
		Target: verdict.Target{URL: "http://127.0.0.1:1/v1"}}, "no service answers at http://127.0.0.1:1/v1: connection refused")}
	loaded := signedOff(sample.Good())
	loaded.Results.Kind, loaded.Results.Runs, loaded.Recording = "load", nil, nil
	loaded.Results.Checks = slices.DeleteFunc(loaded.Results.Checks, func(c verdict.Check) bool { return c.Kind != verdict.Phase })
	for i, q := range loaded.Results.Requirements {
		if q.Proof() != spec.ByLoad {
			loaded.Results.Requirements[i].Verdict, loaded.Results.Requirements[i].Checks, loaded.Results.Requirements[i].Reason = verdict.NotRun, []string{}, "this is a load run"
		}
	}
	release := input(only(signedOff(sample.Good()), small))
	release.Policy = decision.Policy{P99: 250 * time.Millisecond}
	compared := input(only(sample.New(), small))
	compared.Previous = &Input{Results: sample.Good().Results, Recording: sample.Good().Recording}
	waived := input(only(failing("LIST-5"), small))
	doNotRelease := input(only(signedOff(sample.New()), small))
	for _, in := range []*Input{&waived, &doNotRelease} {
		var err error
		if in.Waivers, err = waiver.Parse([]byte(waiversYAML)); err != nil {
			t.Fatal(err)
		}
	}
	waived.Waivers.Waivers = waived.Waivers.Waivers[:1]
	doNotRelease.Results.Warnings = []string{"92 % of the answers were 401"}
	return map[string]Input{"conforming": input(only(sample.Good(), small)), "one-failure": input(only(failing("LIST-5"), small)),
		"seven-failures": input(only(failing("LIST-3", "LIST-5", "CREATE-9", "ERROR-3", "GET-1", "AUTH-2", "CREATE-1"), append([]spec.ID{"GET-1", "AUTH-2", "CREATE-1"}, small...))),
		"no-service":     nobody, "load-only": input(only(loaded, small)), "release": release, "do-not-release": doNotRelease, "compared": compared, "waived": waived}
}

// otherWords say what the five words say: passed, failed, inconclusive, not tested, waived.
var otherWords = regexp.MustCompile(`(?i)\b(untold|not judged|not run|undecided|part only|not asked|does not hold)\b`)

// TestGolden holds what each scenario prints: the terminal, the summary, JUnit and the text of the page. One page stands
// as it is written. Nothing but the five words is said of what was tested, and no headline has a flag.
func TestGolden(t *testing.T) {
	for name, in := range scenarios(t) {
		var all, verbose bytes.Buffer
		all.WriteString("--- the terminal\n")
		v := Look(in)
		err := errors.Join(Terminal(&all, v, Style{Folder: "petconform-out"}), Terminal(&verbose, v, Style{Verbose: true}))
		NoError(t, err)
		found := otherWords.Find(slices.Concat(all.Bytes(), verbose.Bytes()))
		if found != nil || strings.Contains(v.Headline, "--") {
			t.Errorf("%s: the terminal says %q below %q", name, found, v.Headline)
		}
		files, err := Render(v)
		NoError(t, err)
		for _, f := range Formats {
			data := files[f.Name]
			if found := otherWords.Find(data); found != nil && f.Name != ResultsFile {
				t.Errorf("%s: %s says %q", name, f.Name, found)
			}
			switch f.Name {
			case SummaryFile, JUnitFile:
				fmt.Fprintf(&all, "\n--- %s\n%s", f.Name, data)
			case ReportFile:
				fmt.Fprintf(&all, "\n--- %s\n%s", f.Name, textOf(t, data))
				if name == "do-not-release" {
					golden(t, ReportFile, bare(data))
				}
			default:
				if name == "compared" {
					golden(t, f.Name, data)
				}
			}
		}
		if name == "seven-failures" {
			all.WriteString("\n--- annotations\n")
			NoError(t, Annotations(&all, v))
		}
		golden(t, name+".txt", all.Bytes())
	}
}

// bare is a page without the style and the script, which stand in their own files; a part of a drawing is a line.
func bare(page []byte) []byte {
	for _, tag := range []string{"style", "script"} {
		page = regexp.MustCompile("(?s)<"+tag+">.*</"+tag+">").ReplaceAll(page, []byte("<"+tag+">("+tag+")</"+tag+">"))
	}
	page = regexp.MustCompile(`sha256-([A-Za-z0-9/=]|&#43;)*`).ReplaceAll(page, []byte("sha256-(digest)"))
	return regexp.MustCompile(`<(path|text|desc)`).ReplaceAll(page, []byte("\n<$1"))
}

// textOf is what a reader sees of a page: a line for each block, up to the requirements.
func textOf(t *testing.T, page []byte) []byte {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	NoError(t, err)
	var b bytes.Buffer
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "main" {
			for s := range n.ChildNodes() {
				blocks(&b, s)
			}
		}
	}
	text, _, _ := strings.Cut(regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(b.String(), "\n"), "\nLeft open\n")
	return []byte(strings.TrimSpace(text) + "\n")
}

func blocks(b *bytes.Buffer, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(strings.Join(strings.Fields(" x"+n.Data+"x "), " ")[1:])
		b.Truncate(b.Len() - 1)
	case n.Type == html.ElementNode && n.Data == "svg":
		return
	case n.Type == html.ElementNode && slices.Contains([]string{"p", "li", "h2", "h3", "h4", "tr", "dt", "summary", "caption", "figcaption", "pre", "div"}, n.Data):
		b.WriteByte('\n')
	case n.Type == html.ElementNode && slices.Contains([]string{"dd", "td", "small"}, n.Data):
		b.WriteString(" | ")
	}
	for c := range n.ChildNodes() {
		blocks(b, c)
	}
}
