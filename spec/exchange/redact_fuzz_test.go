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

// written are the codings in which a target may write a key, or a part of one, one within the other.
var written = []struct {
	name   string
	encode func(string) string
}{
	{"plain", func(s string) string { return s }},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64url", func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) }},
	{"base64 without padding", func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) }},
	{"hex", func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{"hex in upper case", func(s string) string { return eachByte(s, "%02X", "%02X") }},
	{"hex with colons", func(s string) string { return eachByte(s, "%02X:", "%02X:") }},
	{"percent", func(s string) string { return eachByte(s, "%%%02X", "%%%02x") }},
	{"percent in part", func(s string) string { return eachByte(s, "%c", "%%%02X") }},
	{"JSON", func(s string) string { return eachByte(s, `\u%04x`, `\u%04X`) }},
	{"HTML", func(s string) string { return eachByte(s, "&#%d;", "&#%03d;") }},
	{"HTML in hex", func(s string) string { return eachByte(s, "&#x%x;", "&#x%X;") }},
	{"UTF-16LE", func(s string) string { return eachByte(s, "%c\x00", "%c\x00") }},
	{"UTF-16BE", func(s string) string { return eachByte(s, "\x00%c", "\x00%c") }},
	{"spaced", func(s string) string { return eachByte(s, "%c ", "%c ") }},
	{"reversed", func(s string) string { b := []byte(s); slices.Reverse(b); return string(b) }},
}

// eachByte writes the bytes of s in two formats by turns.
func eachByte(s, even, odd string) string {
	var b strings.Builder
	for i, c := range []byte(s) {
		format := []string{even, odd}[i%2]
		if strings.Contains(format, "%c") {
			b.WriteString(strings.ReplaceAll(format, "%c", string(rune(c))))
			continue
		}
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// beside is what may stand beside a key within a coding, so that it begins at any digit of a group.
var beside = []string{"", "a", "xy", "Zz9", "~", " ", "key="}

// FuzzRedact: a key that is cut at its ends and of which letters change their case, in one coding within another, within other text:
// if eight consecutive letters or digits of it tell it from other text, they are removed with what they are written as, and there
// is no key in what is left. Text that has no key stays as it is. (An escape that begins before the key and takes its first letters
// is left out.)
func FuzzRedact(f *testing.F) {
	for i := range written {
		for j := range written {
			f.Add("pet-0123456789abcdef", uint8(i), uint8(j), uint8(i), uint8(j*2), uint32(i*j), uint8(i+j), []byte("before "), []byte(" behind"))
			f.Add("Kx9+z/7QpT=mW-4", uint8(i), uint8(2), uint8(1), uint8(j), uint32(7), uint8(j), []byte("QUJD"), []byte{0xff, '\n'})
		}
	}
	f.Add("sk_live_51H8x/aZ+q==9Yt.Pq", uint8(1), uint8(1), uint8(1), uint8(1), uint32(0xffff), uint8(5), []byte("[key"), []byte("]"))
	f.Fuzz(func(t *testing.T, key string, inner, outer, cutFront, cutEnd uint8, swapped uint32, pads uint8, before, behind []byte) {
		secret := NewSecret(key)
		if secret.IsZero() || secret.Validate() != nil || len(key) > 64 || len(before)+len(behind) > 512 {
			return
		}
		staysAsItIs(t, append(bytes.Clone(before), behind...))
		key = secret.Reveal()
		front := min(int(cutFront)%16, len(key))
		piece := []byte(key[front:max(front, len(key)-int(cutEnd)%16)])
		for i := range piece {
			if swapped>>(i%32)&1 == 1 {
				piece[i] = SwapCase(string(piece[i]))[0]
			}
		}
		r := NewRedactor(secret)
		has := func(p []byte) bool {
			return slices.ContainsFunc(piecesOf(string(p)), func(one uint64) bool { return r.pieces.telling[one] })
		}
		if !has(piece) {
			return
		}
		begin, end := beside[int(pads)%len(beside)], beside[int(pads)/len(beside)%len(beside)]
		a, b := written[int(inner)%len(written)], written[int(outer)%len(written)]
		encode := func(s string) string { return b.encode(a.encode(begin + s)) }
		form := b.encode(a.encode(begin + string(piece) + end))
		if a.name == "reversed" || b.name == "reversed" {
			at := min(len(behind), longestEntity)
			behind = append(withoutEscapes(behind[:at]), behind[at:]...)
		}
		at := max(0, len(before)-longestEntity)
		data := slices.Concat(before[:at], withoutEscapes(before[at:]), []byte(form), behind)
		clean, hit := r.Redact(data)
		what := fmt.Sprintf("%s of %s of %q of the key %q, in %q, became %q", b.name, a.name, piece, key, data, clean)
		if !hit || r.Found(clean) || bytes.Contains(clean, []byte(form)) {
			t.Fatalf("%s: removed is %t, still found is %t", what, hit, r.Found(clean))
		}
		if a.name == "reversed" || b.name == "reversed" || b.name == "percent in part" || a.name == "percent in part" {
			return
		}
		for i := range piece { // what the letters from i to j are written as
			for j := i + pieceLength; j <= len(piece); j++ {
				if has(piece[i:j]) {
					from, to := len(encode(string(piece[:i]))), len(encode(string(piece[:j])))
					from = max(0, from-8) // padding
					if part := form[from:min(to, len(form))]; bytes.Contains(clean, []byte(part)) {
						t.Fatalf("%s: %q is left", what, part)
					}
					break
				}
			}
		}
	})
}

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

// A key that stands within the mask, or that a mask and its neighbours read like, comes to an end all the same.
func TestKeysLikeTheMask(t *testing.T) {
	for _, key := range []string{"[key", "key]", "key", "[key]", "e", "]]", "[[", "a[key]", "[key][key]", "y]["} {
		r := NewRedactor(NewSecret(key))
		for _, text := range []string{key, key + key, " " + key + " ", "[key]" + key, key + "[key]", "]]]]]]]]", "aaaa[key]", "[key][key][key]"} {
			clean, _ := r.Redact([]byte(text))
			if r.Found(clean) {
				t.Errorf("the key %q is found in %q, which is what became of %q", key, clean, text)
			}
			if twice, again := r.Redact(clean); again || !bytes.Equal(twice, clean) {
				t.Errorf("redacted twice, %q becomes %q", clean, twice)
			}
		}
	}
}
