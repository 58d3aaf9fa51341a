package repeat

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"petconform/reports/plain"
	"petconform/spec/exchange"
)

// longestBody is how much of a request's body a command line carries; beyond it only the check itself can be repeated.
const longestBody = 2000

// Curl gives the pieces of a curl command line that sends the request of x again, "" when its body is too long for one.
// An option and its value are one piece. Join the pieces with spaces, or with Lines.
func Curl(target string, x exchange.Exchange) []string {
	if len(x.Request.Body) > longestBody {
		return nil
	}
	words, piped := []string{"curl", "-sS", "-i", "-g", "--path-as-is"}, false
	if x.Request.Method != http.MethodGet {
		words = append(words, "-X "+Quote(x.Request.Method))
	}
	words = append(words, credential(x.Auth)...)
	words = append(words, headers(x)...)
	if body := string(x.Request.Body); body != "" {
		if piped = plain.Text(body) != body || strings.ContainsAny(body, "\n\t"); piped {
			words = append(words, "--data-binary @-")
		} else {
			words = append(words, "--data-raw "+Quote(body))
		}
	}
	words = append(words, Quote(strings.TrimRight(target, "/")+x.Request.Path))
	if piped {
		words = append([]string{"printf '%b' '" + octal(x.Request.Body) + "' |"}, words...)
	}
	return words
}

// headers leaves out what petconform adds to every request, and takes off the form type that curl would add to a body.
func headers(x exchange.Exchange) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		switch name {
		case "Accept-Encoding", "User-Agent", "Authorization", "Content-Length", "Host", "Connection":
			continue
		}
		for _, value := range x.Request.Header[name] {
			words = append(words, "-H "+Quote(name+": "+value))
		}
	}
	if len(x.Request.Body) > 0 && x.Request.Header.Get("Content-Type") == "" {
		words = append(words, "-H 'Content-Type:'")
	}
	return words
}

const authorization = `"Authorization: Bearer `

// credential writes each kind of credential in terms of the key in the environment; the shell makes the altered ones.
func credential(a exchange.Auth) []string {
	switch a {
	case exchange.NoKey:
		return nil
	case exchange.EmptyKey:
		return []string{"-H " + `'Authorization: Bearer '`}
	case exchange.UnknownKey:
		return []string{"-H " + `'Authorization: Bearer no-such-key'`}
	case exchange.OtherKey:
		return []string{"-H " + authorization + `$PETCONFORM_KEY_OTHER"`}
	case exchange.DamagedKey:
		return []string{"-H " + authorization + `$(printf %s "$PETCONFORM_KEY" | awk '{i=int(length($0)/2)+1; print substr($0,1,i-1) (substr($0,i,1)=="x"?"y":"x") substr($0,i+1)}')"`}
	case exchange.TruncatedKey:
		return []string{"-H " + authorization + `${PETCONFORM_KEY%?}"`}
	case exchange.ExtendedKey:
		return []string{"-H " + authorization + `${PETCONFORM_KEY}x"`}
	case exchange.PrefixedKey:
		return []string{"-H " + authorization + `x$PETCONFORM_KEY"`}
	case exchange.KeyHeader:
		return []string{"-H " + `"X-Api-Key: $PETCONFORM_KEY"`}
	case exchange.SwappedCaseKey:
		return []string{"-H " + authorization + `$(printf %s "$PETCONFORM_KEY" | tr 'a-zA-Z' 'A-Za-z')"`}
	case exchange.BasicScheme:
		return []string{`-u "$PETCONFORM_KEY:"`}
	case exchange.TokenScheme:
		return []string{"-H " + `"Authorization: Token $PETCONFORM_KEY"`}
	case exchange.APIKeyScheme:
		return []string{"-H " + `"Authorization: ApiKey $PETCONFORM_KEY"`}
	case exchange.NoScheme:
		return []string{"-H " + `"Authorization: $PETCONFORM_KEY"`}
	case exchange.LowerCaseScheme:
		return []string{"-H " + `"Authorization: bearer $PETCONFORM_KEY"`}
	}
	return []string{"-H " + authorization + `$PETCONFORM_KEY"`}
}
