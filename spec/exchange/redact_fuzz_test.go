package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzRedact: a part of a key, of which letters change their case, in one form, at any offset of a group of digits, within other text:
// if it has 12 characters, it is replaced with all that it is written as, and there is no key in what is left. Text that has no key
// stays as it is. (An escape that begins before the key and takes its first letters is left out.)
func FuzzRedact(f *testing.F) {
	for i := range forms {
		f.Add("pet-0123456789abcdef", uint8(i), uint8(0), uint8(i%8), uint32(i*i), uint8(i), []byte("before "), []byte(" behind"))
		f.Add("Kx9+z/7QpT=mW-4", uint8(i), uint8(2), uint8(1), uint32(7), uint8(i), []byte("QUJD"), []byte{0xff, '\n'})
		f.Add(`sk_%4a\u0041&#112;/aZ+q==9`, uint8(i), uint8(1), uint8(1), uint32(0xffff), uint8(i), []byte("[key"), []byte("]"))
	}
	offsets := []string{"", "a", "xy", "Zz9", "~", " ", "key="}
	f.Fuzz(func(t *testing.T, key string, chosen, front, end uint8, swapped uint32, pad uint8, before, behind []byte) {
		secret := NewSecret(key)
		if secret.IsZero() || secret.Validate() != nil || len(key) > 64 || len(before)+len(behind) > 512 {
			return
		}
		staysAsItIs(t, append(bytes.Clone(before), behind...))
		key = secret.Reveal()
		from := min(int(front)%16, len(key))
		part := []byte(key[from:max(from, len(key)-int(end)%16)])
		for i := range part {
			if swapped>>(i%32)&1 == 1 {
				part[i] = SwapCase(string(part[i]))[0]
			}
		}
		r := NewRedactor(secret)
		if len(part) < needleLength || len(key) < longWord && !noWord.MatchString(key) {
			return
		}
		form, begin := forms[int(chosen)%len(forms)], offsets[int(pad)%len(offsets)]
		written := form.write(begin + string(part))
		at := max(0, len(before)-longestEscape)
		data := slices.Concat(before[:at], withoutEscapes(before[at:]), []byte(written), []byte("~"), behind)
		clean, hit := r.Redact(data)
		what := fmt.Sprintf("%s of %q of the key %q, in %q, became %q", form.name, part, key, data, clean)
		if !hit || r.Found(clean) {
			t.Fatalf("%s: removed is %t, still found is %t", what, hit, r.Found(clean))
		}
		if strings.Contains(form.name, "in part") || form.name == "hex of a longer text" {
			return // what is in front moves how it is written
		}
		for i := 0; i+needleLength <= len(part); i++ {
			first, last := len(form.write(begin+string(part[:i]))), len(form.write(begin+string(part[:i+needleLength])))
			if piece := written[max(0, first-8):min(last, len(written))]; bytes.Contains(clean, []byte(piece)) {
				t.Fatalf("%s: %q is left", what, piece)
			}
		}
	})
}

// longestEscape is the most characters of an escape: &CounterClockwiseContourIntegral; and the like.
const longestEscape = 34

// withoutEscapes returns text in which no escape begins.
func withoutEscapes(text []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if strings.ContainsRune(`%\&`, c) {
			return '~'
		}
		return c
	}, text)
}

// staysAsItIs tests that text stays as it is if it cannot know the key.
func staysAsItIs(t *testing.T, data []byte) {
	sum := sha256.Sum256(data)
	for _, key := range []string{hex.EncodeToString(sum[:16]), base64.RawURLEncoding.EncodeToString(sum[:])} {
		if clean, hit := NewRedactor(NewSecret(key)).Redact(data); hit || !bytes.Equal(clean, data) {
			t.Errorf("%q does not have the key %q, and became %q", data, key, clean)
		}
	}
}
