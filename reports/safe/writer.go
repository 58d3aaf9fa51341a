package safe

import (
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"
)

// Writer writes untrusted text to a terminal or a log. It replaces control characters, escape sequences and marks of
// the text's direction by their codes. Only colours and bold pass.
type Writer struct{ W io.Writer }

// acting matches what acts, and before it what passes.
var acting = regexp.MustCompile("\x1b\\[(?:(?:[01]|3[0-9]|9[0-7]|38;5;[0-9]{1,3})(?:;|m))+|\r\n|" +
	"[\x00-\x08\x0b-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

// Write writes p with the replacements of Writer. It returns the error of the underlying writer.
func (w Writer) Write(p []byte) (int, error) {
	safe := acting.ReplaceAllFunc(p, func(found []byte) []byte {
		if r, size := utf8.DecodeRune(found); size == len(found) {
			return fmt.Appendf(nil, `\u{%x}`, r)
		}
		return found
	})
	if _, err := w.W.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}
