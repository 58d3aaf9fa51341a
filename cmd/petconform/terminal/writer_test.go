package terminal

import (
	"strings"
	"testing"
)

// TestWriter: what acts on a terminal is written as its code; colours pass where they are asked for alone.
func TestWriter(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\r\nÄ 漢 ✓":           "plain\ttext\r\nÄ 漢 ✓",
		"\x1b[1;31mred\x1b[0m":           "\x1b[1;31mred\x1b[0m",
		"\r\x1b[2Kover the line":         `\u{d}\u{1b}[2Kover the line`,
		"\x1b[4A\x1b[Jover four lines":   `\u{1b}[4A\u{1b}[Jover four lines`,
		"\x1b[38;5;10mgreen\x1b[0m":      "\x1b[38;5;10mgreen\x1b[0m",
		"\x1b[8mhidden":                  `\u{1b}[8mhidden`,
		"\x1b]0;title\x07":               `\u{1b}]0;title\u{7}`,
		"over\rwritten":                  `over\u{d}written`,
		"\u009b2J":                       `\u{9b}2J`,
		"\u202egnirts\u2066\u2069\u200f": `\u{202e}gnirts\u{2066}\u{2069}\u{200f}`,
		"\x00\x7f":                       `\u{0}\u{7f}`,
		"::error::x\n  ::debug::y a::b":  ": :error::x\n  : :debug::y a::b",
		"a ##vso[x] ##[error] # ## [b]":  "a # #vso[x] # #[error] # ## [b]",
	} {
		var b strings.Builder
		if n, err := (Writer{W: &b, Colours: true}).Write([]byte(in)); err != nil || n != len(in) || b.String() != want {
			t.Errorf("%q became %q; %q is wanted", in, b.String(), want)
		}
		b.Reset()
		if _, err := (Writer{W: &b}).Write([]byte(in)); err != nil || b.String() != strings.ReplaceAll(want, "\x1b", `\u{1b}`) {
			t.Errorf("%q became %q without colours", in, b.String())
		}
	}
}
