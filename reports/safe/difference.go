package safe

import (
	"fmt"
	"strings"
	"unicode"

	"petconform/spec/verdict"
)

// Difference is Expected and Actual, each in three parts, of which the middle one differs.
type Difference struct {
	Wanted, Came [3]string
}

// Differ compares Expected and Actual, of which it shows most characters each at most.
func Differ(f verdict.Finding, most int) Difference {
	return differ(Clip(Text(f.Expected), most), Clip(Text(f.Actual), most))
}

const (
	// longAlike is the number of characters from which on a beginning that two texts share is too long to be compared
	// by eye.
	longAlike = 60
	// around is how many characters are shown of it, and of each side.
	around = 24
)

// Where says where two long texts begin to differ, or "" if an eye finds it.
func (d Difference) Where() string {
	alike := []rune(d.Wanted[0])
	if len(alike) < longAlike || d.Wanted[1] == "" && d.Came[1] == "" {
		return ""
	}
	return fmt.Sprintf("after …%s: %q was expected, %q came", string(alike[len(alike)-around:]), Clip(d.Wanted[1], around), Clip(d.Came[1], around))
}

// differ splits off the words that both texts begin with and those that both end with. If they share neither, nothing
// is marked.
func differ(expected, actual string) Difference {
	a, b := words(expected), words(actual)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if !shares(a[:head]) && !shares(a[len(a)-tail:]) {
		return Difference{Wanted: [3]string{expected}, Came: [3]string{actual}}
	}
	d := Difference{Wanted: parts(a, head, tail), Came: parts(b, head, tail)}
	// After a colon comes what the answer was beside: its body.
	if came, body, ok := strings.Cut(d.Came[1], ": "); ok && !strings.Contains(d.Wanted[1], ": ") {
		d.Came[1], d.Came[2] = came, ": "+body+d.Came[2]
	}
	return d
}

func parts(w []string, head, tail int) [3]string {
	return [3]string{strings.Join(w[:head], ""), strings.Join(w[head:len(w)-tail], ""), strings.Join(w[len(w)-tail:], "")}
}

func shares(w []string) bool { return strings.ContainsFunc(strings.Join(w, ""), isWord) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// words splits s into runs of letters and digits, and single other characters.
func words(s string) []string {
	var out []string
	start := 0
	for i, r := range s {
		if isWord(r) {
			continue
		}
		if start < i {
			out = append(out, s[start:i])
		}
		start = i + len(string(r))
		out = append(out, s[i:min(start, len(s))])
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
