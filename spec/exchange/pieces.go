package exchange

import (
	_ "embed"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"petconform/spec"
)

const (
	// pieceLength is how many consecutive letters and digits of a key are a piece of it.
	pieceLength = 8
	// fewest is how many different characters a piece has. 00000000 stands in a time.
	fewest = 4
)

// pieces finds pieces of keys.
type pieces struct {
	// all are the pieces, forwards and backwards, in order. marked has a bit for the hash of each.
	all    []uint64
	marked [1 << (hashBits - 6)]uint64
}

const hashBits = 13

func hash(piece uint64) uint64 { return piece * 0x9e3779b97f4a7c15 >> (64 - hashBits) }

func newPieces(all []uint64) pieces {
	for _, piece := range slices.Clone(all) {
		all = append(all, bits.ReverseBytes64(piece))
	}
	slices.Sort(all)
	p := pieces{all: slices.Clip(slices.Compact(all))}
	for _, piece := range p.all {
		p.marked[hash(piece)>>6] |= 1 << (hash(piece) & 63)
	}
	return p
}

// each calls found with the ends of every piece among the letters and digits of data, until it returns true.
func (p *pieces) each(data []byte, found func(from, to int) bool) bool {
	var piece uint64
	for i, b := range data {
		c := lower[b]
		if c == 0 {
			continue
		}
		piece = piece<<8 | uint64(c)
		if h := hash(piece); p.marked[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if _, ok := slices.BinarySearch(p.all, piece); ok && found(beginning(data, i), i+1) {
			return true
		}
	}
	return false
}

// beginning returns the place of the first letter of the piece that ends at i.
func beginning(data []byte, i int) int {
	for n := pieceLength - 1; n > 0; {
		if i--; lower[data[i]] != 0 {
			n--
		}
	}
	return i
}

// piecesOf returns what stands in data as pieces of a key do.
func piecesOf(data string) []uint64 {
	var all []uint64
	var piece uint64
	n := 0
	for _, b := range []byte(data) {
		if c := lower[b]; c != 0 {
			piece = piece<<8 | uint64(c)
			if n++; n >= pieceLength {
				all = append(all, piece)
			}
		}
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

// vocabulary is what petconform itself writes: no piece of a key is looked for that stands in it.
type vocabulary struct {
	words  map[string]bool
	pieces []uint64
}

// wordsText has the words of petconform's own texts, one in a line. TestWords writes it.
//
//go:embed words.txt
var wordsText string

var word = regexp.MustCompile(`[A-Za-z]+`)

// ownWords are the words of the ledger, of the interface's document and of petconform's own texts, and numbers in order, as lists of
// exchanges have them.
var ownWords = sync.OnceValue(func() vocabulary {
	v := vocabulary{words: map[string]bool{}}
	var numbers []byte
	for n := range 1000 {
		numbers = strconv.AppendInt(numbers, int64(n), 10)
	}
	v.pieces = piecesOf(string(numbers))
	for _, text := range []string{string(spec.LedgerYAML), string(spec.OpenAPI), wordsText} {
		for line := range strings.Lines(text) {
			v.pieces = append(v.pieces, piecesOf(line)...)
			for _, w := range word.FindAllString(line, -1) {
				v.words[strings.ToLower(w)] = true
			}
		}
	}
	slices.Sort(v.pieces)
	v.pieces = slices.Clip(slices.Compact(v.pieces))
	return v
})

// tellingPieces returns the pieces of a key that tell it from other text: petconform's own texts and the addresses do not have them.
func tellingPieces(key string, addresses []string) []uint64 {
	own := ownWords()
	unknown := []byte(key) // with an underscore for each letter of a word that petconform writes
	for _, at := range word.FindAllStringIndex(key, -1) {
		if own.words[strings.ToLower(key[at[0]:at[1]])] {
			copy(unknown[at[0]:], strings.Repeat("_", at[1]-at[0]))
		}
	}
	var spared, telling []uint64
	for _, a := range addresses {
		if !strings.Contains(lettersOf(a), lettersOf(key)) {
			spared = append(spared, piecesOf(a)...)
		}
	}
	var ends []int // of the pieces
	for i, b := range []byte(key) {
		if lower[b] != 0 {
			ends = append(ends, i)
		}
	}
	for i, piece := range piecesOf(key) {
		_, written := slices.BinarySearch(own.pieces, piece)
		if !written { // a piece is also looked for backwards
			_, written = slices.BinarySearch(own.pieces, bits.ReverseBytes64(piece))
		}
		words := lettersOf(string(unknown[ends[i]:ends[i+pieceLength-1]+1])) == ""
		if !written && !words && variety(piece) >= fewest && !slices.Contains(spared, piece) {
			telling = append(telling, piece)
		}
	}
	return telling
}

func lettersOf(s string) string {
	return strings.Map(func(c rune) rune {
		if c > noASCII || lower[byte(c)] == 0 {
			return -1
		}
		return rune(lower[byte(c)])
	}, s)
}
