package rerun

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"petconform/reports/safe"
	"petconform/spec/exchange"
	"petconform/spec/shell"
	"petconform/spec/verdict"
)

// longestBody is the size of the largest request body in a curl command, in bytes.
const longestBody = 2000

// Curl returns the pieces of a curl command that sends the request of x again, or none if its body is too large. An option and
// its value are one piece. Join the pieces with spaces, or with Lines.
func Curl(t verdict.Target, x exchange.Exchange) []string {
	if len(x.Request.Body) > longestBody {
		return nil
	}
	words, piped := []string{"curl", "-sS", "-i", "-g", "--path-as-is"}, false
	if x.Request.Method != http.MethodGet {
		words = append(words, "-X "+shell.Word(x.Request.Method))
	}
	auth := shell.Credential(x.Auth)
	words = slices.Concat(words, auth, shell.Curl(t.Access), headers(x))
	if body := string(x.Request.Body); body != "" {
		if piped = safe.Text(body) != body || strings.ContainsAny(body, "\n\t"); piped {
			words = append(words, "--data-binary @-")
		} else {
			words = append(words, "--data-raw "+shell.Word(body))
		}
	}
	words = append(words, shell.Word(strings.TrimRight(t.URL, "/")+x.Request.Path))
	if piped {
		words = append([]string{"printf '%b' '" + octal(x.Request.Body) + "' |"}, words...)
	}
	if key := shell.Key(t.Access); key != "" && strings.Contains(strings.Join(auth, " "), "PETCONFORM_KEY") {
		words = append([]string{key + ";"}, words...)
	}
	return words
}

// headers returns curl's flags for the headers of a request, without those that petconform adds to every request. One removes the
// Content-Type that curl would add to a body.
func headers(x exchange.Exchange) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		switch name {
		case "Accept-Encoding", "User-Agent", "Authorization", "Content-Length", "Host", "Connection":
			continue
		}
		for _, value := range x.Request.Header[name] {
			words = append(words, "-H "+shell.Word(name+": "+value))
		}
	}
	if len(x.Request.Body) > 0 && x.Request.Header.Get("Content-Type") == "" {
		words = append(words, "-H 'Content-Type:'")
	}
	return words
}
