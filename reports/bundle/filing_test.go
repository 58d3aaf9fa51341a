package bundle

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/reports/internal/test/real"
	"petconform/reports/waiver"
)

const waivers = `
  - {id: W-1, requirement: LIST-5, reason: soon, risk: large listings, ticket: PETS-412, owner: Ada Vance, approver: Noor Idris, from: 2000-01-01, ends: 2000-04-01}
`

// made are bundles of real runs: one that says RELEASE and has everything that a bundle may have, one whose load
// deviates, a check alone and a load alone.
type made struct{ released, broken, checkAlone, loadAlone Files }

var madeOnce = struct {
	sync.Once
	made
}{}

func bundles(t *testing.T) made {
	t.Helper()
	madeOnce.Do(func() {
		earlier, in := real.Check(t), real.SignOff(t)
		w, err := waiver.Parse([]byte(waivers))
		noError(t, err)
		in.Previous, in.Waivers, in.Policy = &earlier, w, decision.Policy{P99: time.Second}
		madeOnce.released = collected(t, in)
		madeOnce.broken = collected(t, real.SignOff(t, "plan-half"))
		madeOnce.checkAlone = collected(t, real.Check(t))
		madeOnce.loadAlone = collected(t, real.Load(t, nil))
	})
	if madeOnce.loadAlone == nil {
		t.Fatal("the bundles could not be made")
	}
	return madeOnce.made
}

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func collected(t *testing.T, in reports.Input) Files {
	t.Helper()
	files, err := Collect(in)
	noError(t, err)
	return files
}

// filing is a bundle with what lies beside it and what it is verified for.
type filing struct {
	*testing.T
	files Files
	Options
	keys string
}

// desk is what all filings share: Ada's and Noor's keys, and their signatures of the bundle that says RELEASE.
var desk struct {
	sync.Once
	dir        string
	signatures Signatures
}

// filed returns the bundle that says RELEASE, prepared by Ada and approved by Noor.
func filed(t *testing.T) *filing {
	t.Helper()
	ended := real.Started.Add(real.Pause + time.Hour)
	f := &filing{T: t, files: maps.Clone(bundles(t).released), keys: desk.dir,
		Options: Options{Target: "https://STAGING.pets.example:443/v1/", Build: real.Build, MaxAge: 3 * time.Hour, Now: ended, Waivers: true}}
	desk.Do(func() {
		f.key("ada")
		f.key("noor")
		f.signedBy("ada", "noor")
		desk.signatures = f.Signatures
	})
	f.Signatures = maps.Clone(desk.signatures)
	f.list(line("ada@example.org", "petconform-prepared", f.public("ada")), line("noor@example.org", "petconform-approved", f.public("noor")))
	return f
}

func (f *filing) keygen(stdin []byte, args ...string) []byte {
	f.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		f.Skip("SKIPPED: ssh-keygen is not there, so no signature was made or checked")
	}
	cmd := exec.CommandContext(f.Context(), tool, args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = f.keys, bytes.NewReader(stdin), &out, &said
	if err := cmd.Run(); err != nil {
		f.Fatalf("ssh-keygen %q: %v: %s", args, err, &said)
	}
	return out.Bytes()
}

// key makes a key, and returns its public key.
func (f *filing) key(name string, options ...string) string {
	f.Helper()
	f.keygen(nil, append([]string{"-q", "-t", "ed25519", "-N", "", "-f", name}, options...)...)
	return f.public(name)
}

func (f *filing) public(name string) string {
	f.Helper()
	public, err := os.ReadFile(filepath.Join(f.keys, name+".pub"))
	noError(f, err)
	return string(public)
}

func line(name, namespaces, public string) string {
	return fmt.Sprintf("%s namespaces=%q %s", name, namespaces, public)
}

func (f *filing) list(lines ...string) {
	f.Helper()
	f.AllowedSigners = filepath.Join(f.TempDir(), "signers")
	noError(f, os.WriteFile(f.AllowedSigners, []byte(strings.Join(lines, "\n")), 0o600))
}

func (f *filing) signature(key, namespace string, data []byte) []byte {
	f.Helper()
	return f.keygen(data, "-Y", "sign", "-q", "-f", key, "-n", namespace)
}

// signedBy makes both signatures of the bundle as it is.
func (f *filing) signedBy(preparing, approving string) {
	f.Helper()
	f.Signatures = Signatures{reports.PreparedFile: f.signature(preparing, "petconform-prepared", f.files[SumsFile]),
		reports.ApprovedFile: f.signature(approving, "petconform-approved", f.files[SumsFile])}
}

func (f *filing) refit() { f.files[SumsFile] = f.files.sums() }

// verified returns the verification, its exit code and its text.
func (f *filing) verified() (v Verification, code int, text string) {
	f.Helper()
	v = Verify(f.Context(), f.files, f.Options)
	var b strings.Builder
	noError(f, v.Text(&b, 80))
	return v, v.Code(), b.String()
}
