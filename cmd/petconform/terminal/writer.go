package terminal

import (
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"
)

// Writer writes untrusted text to a terminal or a log. It replaces control characters, escape sequences and marks of
// the text's direction by their codes. It breaks up what CI systems take for commands: "::" at the beginning of a line
// (GitHub) and "##[" and "##vso[" (Azure, TeamCity).
type Writer struct {
	W io.Writer
	// Colours lets colours and bold pass.
	Colours bool
}

// acting matches what acts, and before it what passes.
var acting = regexp.MustCompile("\x1b\\[(?:(?:[01]|3[0-9]|9[0-7]|38;5;[0-9]{1,3})(?:;|m))+|\r\n|" +
	"[\x00-\x08\x0b-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

// What CI systems take for a command: GitHub, whatever blanks stand before it; Azure and TeamCity, anywhere.
var (
	command  = regexp.MustCompile(`(?m)^([ \t]*:)(:)`)
	anywhere = regexp.MustCompile(`#(#\w*\[)`)
)

// Write writes p with the replacements of Writer. It returns the error of the underlying writer.
func (w Writer) Write(p []byte) (int, error) {
	safe := acting.ReplaceAllFunc(p, func(found []byte) []byte {
		r, size := utf8.DecodeRune(found)
		if size < len(found) && (w.Colours || r == '\r') {
			return found
		}
		return append(fmt.Appendf(nil, `\u{%x}`, r), found[size:]...)
	})
	safe = anywhere.ReplaceAll(command.ReplaceAll(safe, []byte("$1 $2")), []byte("# $1"))
	if _, err := w.W.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}
