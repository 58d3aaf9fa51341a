package signoff

import (
	"bytes"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keygen runs ssh-keygen in dir, or skips the test.
func keygen(t *testing.T, dir string, args ...string) {
	t.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("SKIPPED: ssh-keygen is not there, so no signature was made or checked")
	}
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen %q: %v: %s", args, err, out)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// twiceWritten puts a zero byte in front of the exponent of the RSA key in a signature. OpenSSH reads the same number.
func twiceWritten(t *testing.T, signature []byte) []byte {
	t.Helper()
	block, _ := pem.Decode(signature)
	const head = len("SSHSIG") + 4
	key, _ := field(block.Bytes[head:])
	kind, _ := field(key)
	exponent, _ := field(key[4+len(kind):])
	if string(kind) != "ssh-rsa" {
		t.Fatalf("a key of the type %s; ssh-rsa is wanted", kind)
	}
	put := func(fields ...[]byte) (all []byte) {
		for _, f := range fields {
			all = append(binary.BigEndian.AppendUint32(all, uint32(len(f))), f...)
		}
		return all
	}
	longer := append(put(kind, append([]byte{0}, exponent...)), key[8+len(kind)+len(exponent):]...)
	block.Bytes = append(append(bytes.Clone(block.Bytes[:head]), put(longer)...), block.Bytes[head+4+len(key):]...)
	return pem.EncodeToMemory(block)
}

// TestCheck: only a key that the file of allowed signers has, byte for byte, has signed.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	record := []byte("a record")
	signed := func(key, namespace string) []byte {
		file := filepath.Join(dir, "record-by-"+filepath.Base(key)+"-for-"+namespace)
		if err := os.WriteFile(file, record, 0o600); err != nil {
			t.Fatal(err)
		}
		keygen(t, dir, "-Y", "sign", "-q", "-f", key, "-n", namespace, file)
		return read(t, file+".sig")
	}
	for _, key := range []string{"ada", "noor", "ca"} {
		keygen(t, dir, "-q", "-t", "ed25519", "-N", "", "-f", key)
	}
	keygen(t, dir, "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "rsa")
	keygen(t, dir, "-q", "-s", "ca", "-I", "ada", "-n", "ada@example.org", "ada.pub")
	ada, noor, rsa, ca := string(read(t, filepath.Join(dir, "ada.pub"))), string(read(t, filepath.Join(dir, "noor.pub"))),
		string(read(t, filepath.Join(dir, "rsa.pub"))), string(read(t, filepath.Join(dir, "ca.pub")))
	plain, certified, byRSA := signed("ada", Namespace), signed("ada-cert.pub", Namespace), signed("rsa", Namespace)
	for name, row := range map[string]struct {
		data, signature []byte
		signers         string
		by              string
		err             error
	}{
		"listed":                      {record, plain, "ada@example.org " + ada, "ada@example.org", nil},
		"listed with others":          {record, plain, "noor@example.org " + noor + "\n# the team\nada@example.org " + ada, "ada@example.org", nil},
		"listed in quotation marks":   {record, plain, `"Ada Vance" namespaces="petconform-signoff,git" ` + ada, "Ada Vance", nil},
		"listed with two names":       {record, plain, "ada@example.org,ada@example.net " + ada, "ada@example.org", nil},
		"an RSA key":                  {record, byRSA, "rsa@example.org " + rsa, "rsa@example.org", nil},
		"nobody listed":               {record, plain, "", "", ErrNotListed},
		"another key listed":          {record, plain, "ada@example.org " + noor, "", ErrNotListed},
		"commented out":               {record, plain, "# ada@example.org " + ada, "", ErrNotListed},
		"listed for another use":      {record, plain, `ada@example.org namespaces="git" ` + ada, "", ErrNotListed},
		"listed until a day ago":      {record, plain, `ada@example.org valid-before="20200101" ` + ada, "", ErrNotListed},
		"a certificate":               {record, certified, "ada@example.org cert-authority " + ca, "", ErrNotListed},
		"an RSA key in another form":  {record, twiceWritten(t, byRSA), "rsa@example.org " + rsa, "", ErrNotListed},
		"another record":              {[]byte("A record"), plain, "ada@example.org " + ada, "", ErrAltered},
		"another record, not listed":  {[]byte("A record"), plain, "", "", ErrAltered},
		"signed for another use":      {record, signed("ada", "file"), "ada@example.org " + ada, "", ErrAltered},
		"cut off":                     {record, plain[:len(plain)/2], "ada@example.org " + ada, "", ErrAltered},
		"cut off within its key":      {record, pem.EncodeToMemory(&pem.Block{Type: "SSH SIGNATURE", Bytes: []byte("SSHSIG\x00\x00\x00\x01\x00\x00\x00\x33")}), "", "", ErrAltered},
		"a signature of another tool": {record, []byte(`{"messageSignature":{"signature":"MAYCAQECAQE="}}`), "ada@example.org " + ada, "", ErrAltered},
	} {
		t.Run(name, func(t *testing.T) {
			by, err := Check(t.Context(), row.data, row.signature, []byte(row.signers))
			if !errors.Is(err, row.err) || (err == nil) != (row.err == nil) || err == nil && by.Name != row.by {
				t.Errorf("signed by %q, error %v; %q and %v are wanted", by.Name, err, row.by, row.err)
			}
			if err != nil && strings.Contains(err.Error(), os.TempDir()) {
				t.Errorf("the error names a file that is gone: %v", err)
			}
		})
	}
}

// TestSignersLine: the line that sign prints lets this key sign, under a name with nothing in it that the file would read as
// something else.
func TestSignersLine(t *testing.T) {
	dir := t.TempDir()
	keygen(t, dir, "-q", "-t", "ed25519", "-N", "", "-f", "key")
	file := filepath.Join(dir, "record")
	if err := os.WriteFile(file, []byte("a record"), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := Sign(t.Context(), filepath.Join(dir, "key"), file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"ada@example.org": "ada@example.org", "Ada Vance": "Ada-Vance", "*": "signer", `"Ada", !Noor`: "Ada----Noor", "Zoë\nNoor": "Zoë-Noor", "# Ada": "Ada",
	} {
		line := key.SignersLine(name)
		by, err := Check(t.Context(), []byte("a record"), read(t, file+".sig"), []byte(line+"\n"))
		if err != nil || by.Name != want || !strings.HasPrefix(line, want+` namespaces="petconform-signoff" ssh-ed25519 `) {
			t.Errorf("%q: signed by %q, %v; %q is wanted, by the line %s", name, by.Name, err, want, line)
		}
	}
	keygen(t, dir, "-q", "-t", "ed25519", "-N", "", "-f", "ca")
	keygen(t, dir, "-q", "-s", "ca", "-I", "ada", "-n", "ada", "key.pub")
	if _, err := Sign(t.Context(), filepath.Join(dir, "key-cert.pub"), file); err == nil || !strings.Contains(err.Error(), "is a certificate") {
		t.Errorf("signed with a certificate: %v", err)
	}
}

// TestLoadRefuses what is no record, without waiting for a pipe or filling the memory from a device.
func TestLoadRefuses(t *testing.T) {
	link := func(to string) func(string) error { return func(name string) error { return os.Symlink(to, name) } }
	pipe := func(name string) error { return exec.CommandContext(t.Context(), "mkfifo", name).Run() }
	large := func(name string) error { return os.WriteFile(name, bytes.Repeat([]byte(" "), 1<<20+1), 0o600) }
	for name, row := range map[string]struct {
		file, says string
		create     func(name string) error
	}{
		"a device":                {"2-approved-1.json", "regular file", link("/dev/zero")},
		"a device as a signature": {"1-prepared-1.json.sig", "regular file", link("/dev/zero")},
		"a pipe":                  {"2-approved-1.json", "regular file", pipe},
		"a pipe as a signature":   {"1-prepared-1.json.sig", "regular file", pipe},
		"a folder":                {"2-approved-1.json", "is a folder", func(name string) error { return os.Mkdir(name, 0o700) }},
		"a large record":          {"2-approved-1.json", "larger than 1 MiB", large},
		"a large signature":       {"1-prepared-1.json.sig", "larger than 1 MiB", large},
		"a step that is gone":     {"2-reviewed-1.json", `step "reviewed" is not`, func(name string) error { return os.WriteFile(name, []byte(`{"step":"reviewed"}`), 0o600) }},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			r, err := New(Prepared, Agree, "Ada Vance", "engineer", strings.Repeat("0", 64), time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Save(folder, r); err != nil {
				t.Fatal(err)
			}
			if all, err := Load(folder); err != nil || len(all) != 1 || all[0].Signature != nil {
				t.Fatalf("%d records, %v", len(all), err)
			}
			if err := row.create(filepath.Join(folder, row.file)); err != nil {
				t.Skip(err)
			}
			if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("the error is %v; %q is wanted", err, row.says)
			}
		})
	}
	folder := t.TempDir()
	for range mostRecords + 1 {
		if f, err := os.CreateTemp(folder, "*.json"); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "at most 100") {
		t.Errorf("101 records: %v", err)
	}
}

// TestSignRefusesADevice, which ssh-keygen would read without end.
func TestSignRefusesADevice(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("SKIPPED: ssh-keygen is not there")
	}
	for _, key := range []string{os.DevNull, t.TempDir()} {
		if _, err := Sign(t.Context(), key, filepath.Join(t.TempDir(), "record.json")); err == nil || !strings.Contains(err.Error(), "name a") {
			t.Errorf("%s: %v; a refusal that says what to name is wanted", key, err)
		}
	}
}
