package exchange

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// escape matches %70, \u0070, \u{70}, \x70, \n, \/ and &amp;. A text within a text has two backslashes for one.
var escape = regexp.MustCompile(`(?is)%[0-9a-f]{2}|` +
	`\\{1,8}(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|(?-i:[bfnrt]))|\\.|&#?[0-9a-z]{1,32};`)

// unescaped returns s without one level of the escapes of URLs, JSON, program text and HTML, and where each byte, and
// the end, stands in s.
func unescaped(s []byte) (plain []byte, at []int) {
	plain, at = make([]byte, 0, len(s)), make([]int, 0, len(s)+1)
	for end := 0; end < len(s); {
		e := escape.FindIndex(s[end:])
		if e == nil {
			e = []int{len(s) - end, len(s) - end}
		}
		from, to := end+e[0], end+e[1]
		for ; end < from; end++ {
			plain, at = append(plain, s[end]), append(at, end)
		}
		for _, c := range []byte(unescape(string(s[from:to]))) {
			plain, at = append(plain, c), append(at, from)
		}
		end = to
	}
	return plain, append(at, len(s))
}

// unescape returns what an escape stands for. A character that is in no key may be any other such character: a line
// break is a space, which ends a word.
func unescape(e string) string {
	content := strings.TrimLeft(e, `\`)
	switch {
	case strings.HasPrefix(e, "&"):
		return html.UnescapeString(e)
	case len(content) == 1 && strings.ContainsAny(content, "bfnrt"):
		return " "
	case len(content) < 2:
		return e[min(1, len(e)):]
	}
	number, _ := strconv.ParseUint(strings.Trim(content, "%xXuU{}"), 16, 32)
	return string(rune(min(number, 0x7f)))
}

// coding is how digits stand for bytes.
type coding struct {
	// bits are those of a digit. A byte may begin in each of as many digits as there are phases.
	bits, phases int
	// reads is the digit that a character is, or ends or separates.
	reads [256]byte
}

const (
	ends      = 0 // a number
	separates = 1 // two digits
)

var codings = []*coding{
	{4, 2, table(separates, "ghijklmnopqrstuvwyzGHIJKLMNOPQRSTUVWYZ", ends, hexDigits, hexDigits)},
	{6, 4, table(ends, " \t\r\n", separates, letters+"+/-_", letters+"+/+/")}, // base64, and base64url
}

const (
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hexDigits = "0123456789abcdefABCDEF"
)

// table is how most characters read, and some others, and each of the digits.
func table(most byte, some string, are byte, digits, read string) (t [256]byte) {
	for i := range t {
		t[i] = most
	}
	for _, c := range []byte(some) {
		t[c] = are
	}
	for i, c := range []byte(digits) {
		t[c] = read[i]
	}
	return t
}

// numbers returns the ranges of s of which the digits stand for a key.
func (r *Redactor) numbers(s []byte, c *coding) (all []place) {
	digits, from := 0, 0
	for i := range len(s) + 1 {
		switch {
		case i < len(s) && c.reads[s[i]] > separates:
			digits++
		case i == len(s) || c.reads[s[i]] == ends:
			if digits*c.bits >= needleLength*8 {
				all = append(all, r.number(s, place{from: from, to: i}, c)...)
			}
			digits, from = 0, i+1
		}
	}
	return all
}

// onStack is the length of most numbers that are searched, which need no memory of their own.
const onStack = 64

// number is numbers of a single number in s.
func (r *Redactor) number(s []byte, in place, c *coding) (all []place) {
	digits := slices.Grow(make([]byte, 0, onStack), in.to-in.from)
	at := slices.Grow(make([]int, 0, onStack), in.to-in.from) // where each digit stands
	for i := in.from; i < in.to; i++ {
		zero := c.bits == 4 && s[i] == '0' && i+1 < len(s) && s[i+1]|lowerCase == 'x' // that of 0x is no digit
		if digit := c.reads[s[i]]; digit > separates && !zero {
			digits, at = append(digits, digit), append(at, i)
		}
	}
	content := append(make([]byte, 0, onStack), digits...)
	for phase := range min(c.phases, len(digits)) {
		var n int // of whole bytes; the errors say that the last one is incomplete
		if c.bits == 4 {
			n, _ = hex.Decode(content, digits[phase:])
		} else {
			n, _ = base64.RawStdEncoding.Decode(content, digits[phase:])
		}
		for _, p := range r.search(content[:n]) {
			last := phase + (p.to*8-1)/c.bits
			all = append(all, place{from: at[phase+p.from*8/c.bits], to: at[last] + 1})
		}
	}
	return all
}
