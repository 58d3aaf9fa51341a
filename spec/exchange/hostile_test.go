package exchange

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// hostile are bodies of so many bytes that a target may send to keep the search busy.
func hostile(n int) map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	letters := make([]byte, n)
	for i := range letters {
		letters[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(62)]
	}
	nested := letters[:n/4]
	for len(nested) < n {
		nested = []byte(base64.StdEncoding.EncodeToString(nested))
	}
	all := map[string][]byte{"random letters": letters, "base64 of base64": nested[:n]}
	for _, piece := range []string{"%", "%25", "&", ";", "&#;", "&amp;", `\`, `\u005c`, "A", "YWFh", "0", "12,", "61", " ", "\x00", "a ", "pet-012", "eA", "pet-0123456789abcdef"} {
		all["many "+piece] = bytes.Repeat([]byte(piece), n/len(piece))
	}
	return all
}

// TestTheSearchIsLinear: eight times as much data takes about eight times as many readings, in bytes.
func TestTheSearchIsLinear(t *testing.T) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"))
	read := func(data []byte) (sum int) {
		r.readBoth(text{data: data}, func(t text) bool { sum += len(t.data); return false })
		return sum
	}
	const n = 8 << 10
	much := hostile(8 * n)
	for name, data := range hostile(n) {
		few, many := read(data), read(much[name])
		if many > 9*few+n || many > 100*8*n {
			t.Errorf("%s: the readings of %d bytes have %d bytes, and those of %d bytes have %d", name, len(data), few, len(much[name]), many)
		}
	}
}

// BenchmarkHostile looks through a body of 1 MiB.
func BenchmarkHostile(b *testing.B) {
	r := NewRedactor(NewSecret("pet-0123456789abcdef"))
	for name, data := range hostile(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r.Found(data)
			}
		})
	}
}
