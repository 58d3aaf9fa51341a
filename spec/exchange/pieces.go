package exchange

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"regexp"
	"slices"
	"strings"
)

const (
	// pieceLength is how many consecutive letters and digits of a key are a piece of it.
	pieceLength = 8
	// fewest is how many different characters, besides words, tell a piece from other text. 00000000 stands in a time.
	fewest = 4
	// longWord is the fewest letters of a key of words that no sentence has by chance.
	longWord = 16
	// inOrder are numbers as a list has them.
	inOrder = "012345678910111213141516171819202122232425"
)

// pieces finds pieces of keys, forwards and backwards. A piece is eight letters and digits in lower case, one in a
// byte.
type pieces struct {
	telling map[uint64]bool // false for a piece of words, which goes only together with a telling one that it overlaps
	marked  [1 << (hashBits - 6)]uint64
}

const hashBits = 13

func hash(piece uint64) uint64 { return piece * 0x9e3779b97f4a7c15 >> (64 - hashBits) }

func (p *pieces) add(piece uint64, telling bool) {
	for _, piece := range []uint64{piece, bits.ReverseBytes64(piece)} {
		p.telling[piece] = p.telling[piece] || telling
		p.marked[hash(piece)>>6] |= 1 << (hash(piece) & 63)
	}
}

// addKey adds the pieces of a key, and of the damaged key that checks send. It returns whether one of the key tells it
// from other text: from words, from numbers in order and from the addresses.
func (p *pieces) addKey(key string, addresses []string) (told bool) {
	var spared []uint64
	for _, a := range addresses {
		if !strings.Contains(lettersOf(a), lettersOf(key)) {
			spared = append(spared, piecesOf(a)...)
		}
	}
	spared = append(spared, piecesOf(inOrder)...)
	zeros := words.ReplaceAllStringFunc(key, func(w string) string {
		if english(w) {
			return strings.Repeat("0", len(w))
		}
		return w
	})
	for damaged, v := range [][2]string{{key, zeros}, {Damage(key), Damage(zeros)}} {
		besides := piecesOf(v[1])
		for i, piece := range piecesOf(v[0]) {
			telling := variety(besides[i]) >= fewest && !slices.Contains(spared, piece) && !slices.Contains(spared, bits.ReverseBytes64(piece))
			p.add(piece, telling)
			told = told || telling && damaged == 0
		}
	}
	return told
}

// each calls found with the ends of every piece among the letters and digits of data, until it returns true.
func (p *pieces) each(data []byte, found func(from, to int, telling bool) bool) bool {
	var piece uint64
	var at [pieceLength]int // where its letters stand
	n := uint(0)
	for i, b := range data {
		c := lower[b]
		if c == 0 {
			continue
		}
		piece, at[n%pieceLength], n = piece<<8|uint64(c), i, n+1
		if h := hash(piece); p.marked[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if telling, ok := p.telling[piece]; ok && found(at[n%pieceLength], i+1, telling) {
			return true
		}
	}
	return false
}

func piecesOf(s string) (all []uint64) {
	letters := []byte(lettersOf(s))
	for i := range max(0, len(letters)-pieceLength+1) {
		all = append(all, binary.BigEndian.Uint64(letters[i:]))
	}
	return all
}

// variety is the number of different characters of a piece.
func variety(piece uint64) int {
	seen := map[byte]bool{}
	for ; piece != 0; piece >>= 8 {
		seen[byte(piece)] = true
	}
	return len(seen)
}

var words = regexp.MustCompile(`[A-Z]?[a-z]{2,}|[A-Z]{3,}`)

// pairs are, for each letter from a to z, the letters that follow it in English words. Half of all pairs are not among
// them.
var pairs = strings.Fields(`bcdfghiklmnprstuvwxy aeijlorstuy acehiklortuy abdegijlmnorstuvy abcdefghiklmnopqrstuvwxy adefilortuy
	acehilmnorstuz abeiorstuy abcdefgiklmnopqrstvxz aeisu einosu adefiklmostuvwy abeilmnopsu acdefghijklmnoprstuvwy
	abcdfgijklmnoprstuvwxy aehiloprstuy u abcdefgiklmnoprstuvwy acefhiklmnoprstuwy abcehilmnoprstuwy abcdefgilmnoprst
	aeio aehilnoprs aceiptx aegilmopst eio`)

// english reports whether a word reads as petconform's own texts do.
func english(w string) bool {
	w = strings.ToLower(w)
	for i := range len(w) - 1 {
		if strings.IndexByte(pairs[w[i]-'a'], w[i+1]) < 0 {
			return false
		}
	}
	return true
}

// wholeKey is the expression for a key that no piece tells from other text. Unless it is long, or has letters and
// digits, it may be any word of a sentence, and is a key behind its scheme only.
func wholeKey(key string) string {
	form, letters := regexp.QuoteMeta(key), lettersOf(key)
	if lower[key[len(key)-1]] != 0 {
		form += `\b`
	}
	if digits := strings.Trim(letters, "0123456789"); len(letters) < longWord && (digits == letters || digits == "") {
		return `\bbearer\s+` + form
	}
	if lower[key[0]] != 0 {
		form = `\b` + form
	}
	return form
}

func lettersOf(s string) string {
	var out []byte
	for _, b := range []byte(s) {
		if lower[b] != 0 {
			out = append(out, lower[b])
		}
	}
	return string(out)
}

// lower maps a letter to lower case and a digit to itself; everything else is 0.
var lower = func() (table [256]byte) {
	for _, c := range []byte("0123456789abcdefghijklmnopqrstuvwxyz") {
		table[c], table[bytes.ToUpper([]byte{c})[0]] = c, c
	}
	return table
}()
