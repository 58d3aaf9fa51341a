package signoff

import (
	"bytes"
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
