package exchange

// needleLength is how many characters of a key in a row are searched for.
const needleLength = 12

// needle is so many characters, each with bit 0x20 set, which makes a letter lower case. The last eight are in lo.
type needle struct{ hi, lo uint64 }

const (
	lowerCase = 0x2020202020202020
	firstFour = 0xffffffff
	markBits  = 13
)

func (n needle) hash() uint64 { return n.lo * 0x9e3779b97f4a7c15 >> (64 - markBits) }

// needlesOf returns the needles of s; the needle i begins at s[i].
func needlesOf(s string) []needle {
	var all []needle
	var read reader
	for i := range len(s) {
		if read.add(uint64(s[i]), characters.bits, i); i+1 >= needleLength {
			all = append(all, read.needle(0))
		}
	}
	return all
}

// weight returns what a needle of r weighs, 0 for any other. The marks are there for speed: of other text one in a
// hundred is marked.
func (r *Redactor) weight(n needle) int {
	if r.marks[n.hash()>>6]&(1<<(n.hash()&63)) == 0 {
		return 0
	}
	return r.needles[n]
}

// coding is how digits stand for characters.
type coding struct {
	bits uint // of a digit
	// spans are how many digits a needle has, with 0, 2 and 4 bits behind it.
	spans  []int
	digits [256]int16
}

const (
	ends      = -1 // ends a number of digits
	separates = -2 // stands between digits
	prefix    = -3 // stands between digits: the 0 of 0x is none
)

var characters, hexadecimal, inBase64 = func() (plain, hex, base64 coding) {
	plain.bits, hex.bits, base64.bits = 8, 4, 6
	plain.spans, hex.spans, base64.spans = []int{12}, []int{24}, []int{16, 17, 17}
	for c := range int16(256) {
		plain.digits[c], hex.digits[c], base64.digits[c] = c, separates, ends
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		base64.digits[c] = int16(i)
		if i < 62 {
			hex.digits[c] = ends
		}
	}
	base64.digits['-'], base64.digits['_'] = 62, 63 // of base64url
	for i, c := range []byte("0123456789abcdef0123456789ABCDEF") {
		hex.digits[c] = int16(i & 15)
	}
	hex.digits['x'], hex.digits['X'] = prefix, prefix
	for _, c := range []byte(" \t\r\n") {
		base64.digits[c] = separates
	}
	return plain, hex, base64
}()

// reader reads digits, and keeps the last 128 bits of what they stand for.
type reader struct {
	hi, lo uint64
	began  [32]int32 // where each of the last digits stands: digit n in n%32
	digits int
}

func (r *reader) add(digit uint64, bits uint, at int) {
	r.hi, r.lo = r.hi<<bits|r.lo>>(64-bits), r.lo<<bits|digit
	r.began[r.digits&31] = int32(at)
	r.digits++
}

// dropZero takes back the last hexadecimal digit if it was 0.
func (r *reader) dropZero() {
	if r.digits > 0 && r.lo&0xf == 0 {
		r.hi, r.lo = r.hi>>4, r.lo>>4|r.hi<<60
		r.digits--
	}
}

// needle returns the last 12 bytes that were read, without so many bits behind them.
func (r *reader) needle(behind uint) needle {
	hi, lo := r.hi>>behind, r.lo>>behind|r.hi<<(64-behind)
	return needle{hi&firstFour | lowerCase&firstFour, lo | lowerCase}
}

// search calls found with each needle in data that is written in the coding.
func (r *Redactor) search(data []byte, in *coding, found func(place)) {
	var read reader
	for at, c := range data {
		switch d := in.digits[c]; d {
		case separates:
		case ends:
			read.digits = 0
		case prefix:
			read.dropZero()
		default:
			read.add(uint64(d), in.bits, at)
			for i, span := range in.spans {
				if read.digits < span {
					break
				}
				if weight := r.weight(read.needle(2 * uint(i))); weight > 0 {
					found(place{int(read.began[(read.digits-span)&31]), at + 1, weight})
				}
			}
		}
	}
}
