package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/conformance/proof"
	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/internal/test/real"
	"petconform/reports/internal/test/sample"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestOtherVersion: the page of another version is not rendered again, and the digests are still checked.
func TestOtherVersion(t *testing.T) {
	f := filed(t)
	f.Tool = "petconform/0.2.0"
	if _, code, text := f.verified(); code != verdict.ExitConforms || !strings.Contains(text, "• made by petconform test; judged again by petconform/0.2.0: RELEASE; the page\n  was not rendered again\n") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	f.files[reports.ReportFile] = []byte("RELEASE")
	if _, code, text := f.verified(); code != verdict.ExitNoVerdict || !strings.HasPrefix(text, "DO NOT RELEASE ON THIS BUNDLE: ALTERED\n") {
		t.Errorf("an edited page: exit code %d:\n%s", code, text)
	}
}

// standIn puts a script in the place of ssh-keygen.
func standIn(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "ssh-keygen"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	t.Setenv("PATH", dir)
}

// TestUnknownAnswers: what ssh-keygen is not known to say is never a signature that holds.
func TestUnknownAnswers(t *testing.T) {
	const key = "SHA256:0123456789012345678901234567890123456789012"
	for name, script := range map[string]string{
		"nothing":               `true`,
		"another form":          `echo 'Good signature'`,
		"of someone else":       `case "$*" in *find*) echo ada;; *) echo 'Good "petconform-prepared" signature for eve with ED25519 key ` + key + `';; esac`,
		"of another namespace":  `case "$*" in *find*) echo ada;; *) echo 'Good "file" signature for ada with ED25519 key ` + key + `';; esac`,
		"with more lines":       `case "$*" in *find*) echo ada;; *) for i in 1 2; do echo 'Good "petconform-prepared" signature for ada with ED25519 key ` + key + `'; done;; esac`,
		"another exit code":     `exit 1`,
		"a signal":              `kill -9 $$`,
		"a name and no verdict": `case "$*" in *find*) echo ada;; *) echo;; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			f := filed(t)
			standIn(t, script)
			if v, code, text := f.verified(); code != verdict.ExitNoVerdict || v.Signed != "" {
				t.Errorf("exit code %d:\n%s", code, text)
			}
		})
	}
	t.Run("no ssh-keygen", func(t *testing.T) {
		f := filed(t)
		t.Setenv("PATH", t.TempDir())
		if _, code, text := f.verified(); code != verdict.ExitNoVerdict || !strings.HasPrefix(text, "DO NOT RELEASE ON THIS BUNDLE: NOT FULLY CHECKED\n") {
			t.Errorf("exit code %d:\n%s", code, text)
		}
	})
	t.Run("without keys", func(t *testing.T) {
		f := filed(t)
		seen := filepath.Join(t.TempDir(), "seen")
		standIn(t, "/usr/bin/env >"+seen)
		t.Setenv("PETCONFORM_KEY_FREE", "secret")
		f.verified()
		if env, err := os.ReadFile(seen); err != nil || strings.Contains(string(env), "secret") || !strings.Contains(string(env), "LC_ALL=C\n") {
			t.Errorf("%v: ssh-keygen got\n%s", err, env)
		}
	})
}

// TestCode: exit code 0 needs a bundle that says what is required, and signatures, unless none is asked for.
func TestCode(t *testing.T) {
	const signedOff, unsigned, neither = "signed off", "unsigned", "neither"
	for _, row := range []struct {
		word    decision.Word
		wrong   bool
		waivers bool
		signed  string
		want    int
	}{
		{decision.Release, false, false, signedOff, 0},
		{decision.ReleaseWithWaivers, false, true, signedOff, 0},
		{decision.ReleaseWithWaivers, false, false, signedOff, 1},
		{decision.DoNotRelease, false, true, signedOff, 1},
		{decision.NoVerdict, false, true, signedOff, 3},
		{"CONFORMS", false, true, signedOff, 3},
		{"", false, true, signedOff, 3},
		{decision.Release, true, true, signedOff, 3},
		{decision.DoNotRelease, true, true, signedOff, 3},
		{decision.Release, false, false, unsigned, 0},
		{decision.ReleaseWithWaivers, false, false, unsigned, 1},
		{decision.Release, true, true, unsigned, 3},
		{decision.Release, false, true, neither, 3},
		{decision.DoNotRelease, false, true, neither, 1},
	} {
		v := Verification{Options: Options{Unsigned: row.signed == unsigned, Waivers: row.waivers}, Signed: map[string]string{signedOff: "by two"}[row.signed]}
		if v.View.Word = row.word; row.wrong {
			v.add(Altered, "an edited file")
		}
		if got := v.Code(); got != row.want {
			t.Errorf("%q, wrong is %t, waivers do is %t, %s: exit code %d, want %d", row.word, row.wrong, row.waivers, row.signed, got, row.want)
		}
		short := !row.waivers && row.word == decision.ReleaseWithWaivers
		if heading, _ := v.heading(); short != strings.HasPrefix(heading, "DO NOT RELEASE ON THIS BUNDLE: RELEASE is required") {
			t.Errorf("%q, waivers do is %t: %q", row.word, row.waivers, heading)
		}
	}
}

// TestKeyInPage: a key that the page alone would show is refused, as in the folder of the run.
func TestKeyInPage(t *testing.T) {
	in := real.SignOff(t, "plan-half")
	for i := range in.Recording.Exchanges {
		in.Recording.Exchanges[i].Response.Body = exchange.Body(proof.Key.Reveal())
	}
	in.Results = sample.New().Results // the page shows the bodies of what failed
	if _, err := Collect(in); !errors.Is(err, reports.ErrKeyFound) {
		t.Errorf("%v; ErrKeyFound is wanted", err)
	}
}
