package roundtrip

import (
	"testing"
)

// A gzip body is decoded up to the limit, or is an error.
func FuzzDecode(f *testing.F) {
	f.Add("gzip", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add("x-gzip", []byte("no gzip"))
	f.Add("br", []byte{})
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		const most = 1 << 12
		if plain, err := decode(encoding, body, most); err == nil && len(plain) > most {
			t.Errorf("got %d bytes of %d, want at most %d", len(plain), len(body), most)
		}
	})
}
