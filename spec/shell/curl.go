// Package shell writes words of POSIX shell command lines: those of petconform and of curl that send a request again.
// No key is in them; they read it from PETCONFORM_KEY.
package shell

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// Word makes s one word of a POSIX shell, whatever it holds.
func Word(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// curls are the flags of curl that do the same as those of petconform.
var curls = map[string]string{"ca-cert": "--cacert", "cert": "--cert", "cert-key": "--key", "resolve": "--resolve"}

func reach(flags []exchange.Flag) []string {
	var all []string
	for _, f := range flags {
		if f.Name == "header" && header.MatchString(f.Value) {
			all = append(all, `-H "`+f.Value+`"`)
		}
		if name := curls[f.Name]; name != "" {
			all = append(all, name+" "+Word(f.Value))
		}
	}
	return all
}

// header matches a header whose value is a variable's, which double quotes leave alone.
var header = regexp.MustCompile(`^[A-Za-z0-9-]+: ([A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// Key returns the command that puts the target's key into PETCONFORM_KEY, or "" if the key comes from that variable.
func Key(flags []exchange.Flag) string {
	for _, f := range flags {
		if f.Name == "key-file" {
			return `PETCONFORM_KEY="$(cat ` + Word(f.Value) + `)"`
		}
	}
	return ""
}

// Curl returns the pieces of a curl command that sends the request of x again, to an address that is a word of the
// shell. The flags of petconform say how to reach the target. An option and its value are one piece. A body that a command line cannot show comes from printf.
func Curl(flags []exchange.Flag, x exchange.Exchange, address string) []string {
	words, body := []string{"curl", "-sS", "-i", "-g", "--path-as-is"}, string(x.Request.Body)
	if x.Request.Method != http.MethodGet {
		words = append(words, "-X "+Word(x.Request.Method))
	}
	words = slices.Concat(words, credential(x), reach(flags), headers(x))
	switch hidden := func(r rune) bool { return !unicode.IsGraphic(r) }; {
	case body == "":
	case utf8.ValidString(body) && !strings.ContainsFunc(body, hidden):
		words = append(words, "--data-raw "+Word(body))
	default:
		words = slices.Concat([]string{"printf '%b' '" + octal(x.Request.Body) + "' |"}, words, []string{"--data-binary @-"})
	}
	return append(words, address)
}

// headers returns curl's flags for the headers of a request, without those that petconform adds to every request. One
// removes the Content-Type that curl would add to a body.
func headers(x exchange.Exchange) []string {
	var words []string
	typed := false
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		typed = typed || strings.EqualFold(name, "Content-Type")
		switch http.CanonicalHeaderKey(name) {
		case "Accept-Encoding", "User-Agent", "Authorization", "Content-Length", "Host", "Connection":
			continue
		}
		if !httpguts.ValidHeaderFieldName(name) { // curl would read the file that "@name" names
			continue
		}
		for _, value := range x.Request.Header[name] {
			words = append(words, "-H "+Word(name+": "+value))
		}
	}
	if len(x.Request.Body) > 0 && !typed {
		words = append(words, "-H 'Content-Type:'")
	}
	return words
}

// octal writes bytes for printf '%b', for what a command line cannot hold.
func octal(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		if c >= ' ' && c <= '~' && c != '\\' && c != '\'' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\0%03o`, c)
	}
	return b.String()
}

// credential returns curl's flags for each kind of credential; for one that only other clients send, those for the key.
// The key comes from the environment, and the shell alters it if needed.
func credential(x exchange.Exchange) []string {
	c, known := invalid.CredentialAmong(x.Request.Header, x.Auth)
	if !known {
		c, _ = invalid.CredentialOf(exchange.Key)
	}
	if c.Curl != "" {
		return []string{c.Curl}
	}
	var flags []string
	for _, h := range c.Headers {
		if !strings.Contains(h, "%k") {
			flags = append(flags, "-H "+Word(h))
			continue
		}
		key := cmp.Or(c.Shell, "$PETCONFORM_KEY")
		flags = append(flags, `-H "`+strings.ReplaceAll(strings.ReplaceAll(h, `"`, `\"`), "%k", key)+`"`)
	}
	return flags
}
