package rerun

import (
	"slices"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/shell"
	"petconform/spec/verdict"
)

// longestBody is the size of the largest request body in a curl command, in bytes.
const longestBody = 2000

// Curl returns the pieces of a curl command that sends the request of x again, or none if its body is too large. An
// option and its value are one piece. Join the pieces with spaces, or with Lines.
func Curl(t verdict.Target, x exchange.Exchange) []string {
	if len(x.Request.Body) > longestBody {
		return nil
	}
	words := shell.Curl(t.Flags, x, shell.Word(strings.TrimRight(t.URL, "/")+x.Request.Path))
	if key := shell.Key(t.Flags); key != "" && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "PETCONFORM_KEY") }) {
		words = append([]string{key + ";"}, words...)
	}
	return words
}
