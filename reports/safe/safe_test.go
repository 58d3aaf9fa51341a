package safe

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"petconform/reports/internal/test/sample"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":              "plain",
		"a\r\nb\tc":          "a⏎b c",
		"\x1b[31mred":        `\u{1b}[31mred`,
		"\u202eabc":          `\u{202e}abc`,
		"bad \xff byte":      `bad \xff byte`,
		"a \uFFFD that came": "a \uFFFD that came",
		"Zoë 犬 🐕":            "Zoë 犬 🐕",
		"\u2028":             `\u{2028}`,
	} {
		if got := Line(in); got != want {
			t.Errorf("%q became %q; %q is wanted", in, got, want)
		}
	}
	if got := Text("a\nb\x00"); got != "a\nb\\u{0}" {
		t.Errorf("%q", got)
	}
}

// TestWrap: no line is wider than the width, and nothing but white space is lost.
func TestWrap(t *testing.T) {
	for _, s := range append(sample.Hostile, strings.Repeat("long", 60), "犬の名前は長い名前です 犬の名前は長い名前です", "", "one two  three\nfour") {
		for _, width := range []int{1, 7, 20, 80} {
			lines := Wrap(Text(s), width)
			for _, l := range lines {
				if w := uniseg.StringWidth(l); w > width && w > 2 {
					t.Errorf("%q is %d columns wide; %d are wanted", l, w, width)
				}
			}
			joined := strings.Join(strings.Fields(strings.Join(lines, "")), "")
			if want := strings.Join(strings.Fields(Text(s)), ""); joined != want {
				t.Errorf("width %d: %q became %q", width, want, joined)
			}
		}
	}
}

func TestClip(t *testing.T) {
	if got := Clip("犬犬犬犬", 3); got != "犬犬…" {
		t.Errorf("%q", got)
	}
	if got := Clip("abc", 3); got != "abc" {
		t.Errorf("%q", got)
	}
}

// TestHang: further lines begin where the first does, whatever signs the label has.
func TestHang(t *testing.T) {
	if got := Hang("犬 ✗ ", []string{"one", "", "two "}); got != "犬 ✗ one\n\n     two\n" {
		t.Errorf("%q", got)
	}
}
