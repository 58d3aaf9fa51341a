package signoff

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse: a sign-off record is refused, or is whole and comes back as it was read.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"step":"approved","decision":"agree","meaning":"m","name":"Ada Vance","role":"release manager","subjectSha256":"0000000000000000000000000000000000000000000000000000000000000000","at":"2026-03-01T00:00:00Z"}`))
	f.Add([]byte(`{"step":"approved"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		written, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(written)
		rewritten, _ := again.Bytes() // what was read can be written, as above
		if err != nil || !bytes.Equal(written, rewritten) {
			t.Errorf("%v: %s became %s", err, written, rewritten)
		}
	})
}

// FuzzCheckCosign: no signature that anyone makes up is one of a key that was never used.
func FuzzCheckCosign(f *testing.F) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		f.Fatal(err)
	}
	public := filepath.Join(f.TempDir(), "public.pem")
	if err := os.WriteFile(public, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("a record"), []byte(`{"messageSignature":{"messageDigest":{"algorithm":"SHA2_256"},"signature":"MAYCAQECAQE="}}`))
	f.Add([]byte("a record"), []byte(`{"messageSignature":{"messageDigest":{"algorithm":"SHA1"}}}`))
	f.Add([]byte(""), []byte(`{}`))
	f.Fuzz(func(t *testing.T, data, signature []byte) {
		if by, err := CheckCosign(data, signature, []string{public}); err == nil {
			t.Errorf("%q is taken for a signature by %s", signature, by)
		}
	})
}
