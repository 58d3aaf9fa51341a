package bundle

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// changed returns a bundle whose results are others, under digests that fit.
func changed(t *testing.T, files Files, change func(*verdict.Results)) Files {
	t.Helper()
	var res verdict.Results
	if err := json.Unmarshal(files[reports.ResultsFile], &res); err != nil {
		t.Fatal(err)
	}
	change(&res)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(res); err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(files)
	out[reports.ResultsFile] = b.Bytes()
	out[SumsFile] = out.sums()
	return out
}

// TestForgedIdentity: what was tested, and in which run, is what the recording says.
func TestForgedIdentity(t *testing.T) {
	files, judge := filed(t)
	for name, change := range map[string]func(*verdict.Results){
		"the target":      func(r *verdict.Results) { r.Target.URL = "https://api.pets.example/v1" },
		"the build":       func(r *verdict.Results) { r.Target.Build = "9.9.9" },
		"the environment": func(r *verdict.Results) { r.Target.Environment = "production" },
		"the use of the built-in reference service": func(r *verdict.Results) { r.Target.Reference = true },
		"the kind of run":          func(r *verdict.Results) { r.Kind = "signoff" },
		"the run":                  func(r *verdict.Results) { r.Run = "another" },
		"the version that sent it": func(r *verdict.Results) { r.Tool = "petconform/9" },
		"the start":                func(r *verdict.Results) { r.Started = r.Started.AddDate(0, 0, 1) },
	} {
		v := Verify(t.Context(), changed(t, files, change), Options{Judge: judge})
		says := "judged again, " + name + " is "
		if name == "the run" {
			says = "a recording is of the run r-7f3a, but results.json names the run another"
		}
		if !strings.Contains(strings.Join(v.Problems, "\n"), says) {
			t.Errorf("%s: %q", name, v.Problems)
		}
		if code := v.Code(RequireWaived); code != verdict.ExitNoVerdict {
			t.Errorf("%s: exit code %d; 3 is wanted", name, code)
		}
	}
}

// TestReferenceElsewhere: the built-in reference service is on loopback, whatever both results and recording say.
func TestReferenceElsewhere(t *testing.T) {
	files, judge := filed(t)
	lie := func(r *verdict.Results) { r.Target.Reference = true }
	v := Verify(t.Context(), changed(t, files, lie), Options{Judge: func(rec *exchange.Recording) verdict.Results {
		res := judge(rec)
		lie(&res)
		return res
	}})
	if !strings.Contains(strings.Join(v.Problems, "\n"), "it listens on loopback only") {
		t.Errorf("%q", v.Problems)
	}
}

// TestCode: exit code 0 needs a bundle that says what is required, and signatures, unless none is asked for.
func TestCode(t *testing.T) {
	const signedOff, unsigned, neither = "signed off", "unsigned", "neither"
	for _, row := range []struct {
		word    decision.Word
		problem string
		require Require
		signed  string
		want    int
	}{
		{decision.Release, "", RequireRelease, signedOff, 0},
		{decision.Release, "", RequireWaived, signedOff, 0},
		{decision.ReleaseWithWaivers, "", RequireWaived, signedOff, 0},
		{decision.ReleaseWithWaivers, "", RequireRelease, signedOff, 1},
		{decision.DoNotRelease, "", RequireWaived, signedOff, 1},
		{decision.NoVerdict, "", RequireWaived, signedOff, 3},
		{"", "", RequireWaived, signedOff, 3},
		{decision.Release, "altered", RequireWaived, signedOff, 3},
		{decision.DoNotRelease, "altered", RequireWaived, signedOff, 3},
		{decision.Release, "", RequireRelease, unsigned, 0},
		{decision.ReleaseWithWaivers, "", RequireWaived, unsigned, 0},
		{decision.ReleaseWithWaivers, "", RequireRelease, unsigned, 1},
		{decision.DoNotRelease, "", RequireWaived, unsigned, 1},
		{decision.NoVerdict, "", RequireWaived, unsigned, 3},
		{"", "", RequireWaived, unsigned, 3},
		{decision.Release, "altered", RequireWaived, unsigned, 3},
		{decision.Release, "", RequireWaived, neither, 3},
		{decision.ReleaseWithWaivers, "", RequireWaived, neither, 3},
		{decision.DoNotRelease, "", RequireWaived, neither, 1},
		{decision.NoVerdict, "", RequireWaived, neither, 3},
	} {
		v := Verification{Decision: decision.Decision{Word: row.word}, SignedOff: row.signed == signedOff, Unsigned: row.signed == unsigned}
		if row.problem != "" {
			v.problem("%s", row.problem)
		}
		if got := v.Code(row.require); got != row.want {
			t.Errorf("%q, problem %q, require %s, %s: exit code %d, want %d", row.word, row.problem, row.require, row.signed, got, row.want)
		}
	}
}

// TestTextSaysTheDecisionFirst, then what was tested.
func TestTextSaysTheDecisionFirst(t *testing.T) {
	files, judge := filed(t)
	var text strings.Builder
	v := Verify(t.Context(), files, Options{Judge: judge})
	if err := v.Text(&text); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	if lines[0] != "DEVIATES" || !strings.HasPrefix(lines[1], "target https://staging.pets.example/v1, build 2.14.0+4be1c09, environment ") || !strings.Contains(lines[1], "run r-7f3a, kind check") {
		t.Errorf("%q", lines[:2])
	}
}
