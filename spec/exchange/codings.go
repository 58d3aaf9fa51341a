package exchange

import (
	"html"
	"regexp"
	"strconv"
	"strings"
)

// escape matches %70, \u0070, \u{70}, \x70, \n, \/ and &amp;. A text within a text has two backslashes for one.
var escape = regexp.MustCompile(`(?is)%[0-9a-f]{2}|` +
	`\\{1,8}(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|(?-i:[bfnrt]))|\\.|&#?[0-9a-z]{1,32};`)

// unescaped returns s without one level of the escapes of URLs, JSON, program text and HTML, and where each byte, and
// the end, stands in s.
func unescaped(s string) (string, []int) {
	out, places := make([]byte, 0, len(s)), make([]int, 0, len(s)+1)
	for at := 0; at < len(s); {
		e := escape.FindStringIndex(s[at:])
		if e == nil {
			e = []int{len(s) - at, len(s) - at}
		}
		for end := at + e[0]; at < end; at++ {
			out, places = append(out, s[at]), append(places, at)
		}
		for _, c := range []byte(unescape(s[at : at+e[1]-e[0]])) {
			out, places = append(out, c), append(places, at)
		}
		at += e[1] - e[0]
	}
	return string(out), append(places, len(s))
}

// unescape returns what an escape stands for. A character that is in no key may be any other such character.
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

// coding is how digits stand for bytes, which may begin in as many digits as there are phases.
type coding struct {
	bits, phases int
	values       [256]int8
}

const (
	ends      = -1 // ends a number
	separates = -2 // stands between digits
)

var codings = []*coding{
	newCoding(4, 2, separates, "ghijklmnopqrstuvwyzGHIJKLMNOPQRSTUVWYZ", ends, "0123456789abcdef0123456789ABCDEF"),
	newCoding(6, 4, ends, " \t\r\n", separates, letters+"+/"+letters+"-_"), // base64, and base64url
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func newCoding(bits, phases int, most int8, others string, are int8, digits string) *coding {
	c := &coding{bits: bits, phases: phases}
	for i := range c.values {
		c.values[i] = most
	}
	for _, b := range []byte(others) {
		c.values[b] = are
	}
	for i, b := range []byte(digits) {
		c.values[b] = int8(i % (1 << bits))
	}
	return c
}

// numbers returns the ranges of s that are a number with as many digits as a needle.
func (c *coding) numbers(s string) (all []place) {
	digits, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && c.values[s[i]] >= 0:
			digits++
		case i == len(s) || c.values[s[i]] == ends:
			if digits*c.bits >= needleLength*8 {
				all = append(all, place{from, i})
			}
			digits, from = 0, i+1
		}
	}
	return all
}

// digits returns the digits of a number in s, and where they stand.
func (c *coding) digits(s string, number place) (digits []byte, at []int) {
	digits, at = make([]byte, 0, number.to-number.from), make([]int, 0, number.to-number.from)
	for i := number.from; i < number.to; i++ {
		zero := c.bits == 4 && s[i] == '0' && i+1 < len(s) && s[i+1]|lowerCase == 'x' // that of 0x is no digit
		if digit := c.values[s[i]]; digit >= 0 && !zero {
			digits, at = append(digits, byte(digit)), append(at, i)
		}
	}
	return digits, at
}

// bytes returns what digits stand for. Byte i begins in the digit i*8/bits.
func (c *coding) bytes(digits []byte) []byte {
	all, value, bits := make([]byte, 0, len(digits)), 0, 0
	for _, d := range digits {
		if value, bits = value<<c.bits|int(d), bits+c.bits; bits >= 8 {
			bits -= 8
			all = append(all, byte(value>>bits))
		}
	}
	return all
}
