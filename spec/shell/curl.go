package shell

import (
	"cmp"
	"regexp"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// Flags returns the flags of petconform that a later run against the target needs and that are not in petconform.yaml.
func Flags(a *exchange.Access) []string {
	var all []string
	for _, f := range flagsOf(a) {
		switch {
		case f.InFile:
		case f.Value == "":
			all = append(all, "--"+Word(f.Name))
		default:
			all = append(all, "--"+Word(f.Name)+" "+Word(f.Value))
		}
	}
	return all
}

func flagsOf(a *exchange.Access) []exchange.Flag {
	if a == nil {
		return nil
	}
	return a.Flags
}

// curls are the flags of curl that do the same as those of petconform.
var curls = map[string]string{"ca-cert": "--cacert", "cert": "--cert", "cert-key": "--key", "resolve": "--resolve"}

// Curl returns the flags of curl that reach the target.
func Curl(a *exchange.Access) []string {
	var all []string
	for _, f := range flagsOf(a) {
		if f.Name == "header" && header.MatchString(f.Value) {
			all = append(all, `-H "`+f.Value+`"`)
		}
		if name := curls[f.Name]; name != "" {
			all = append(all, name+" "+Word(f.Value))
		}
	}
	return all
}

var (
	// header matches a header whose value is a variable's, which double quotes leave alone.
	header   = regexp.MustCompile(`^[A-Za-z0-9-]+: ([A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)
	variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// Key returns the command that puts the target's key into PETCONFORM_KEY, or "" if the key comes from that variable.
func Key(a *exchange.Access) string {
	for _, f := range flagsOf(a) {
		if f.Name == "key-file" {
			return `PETCONFORM_KEY="$(cat ` + Word(f.Value) + `)"`
		}
	}
	if a != nil && variable.MatchString(a.Key) {
		return `PETCONFORM_KEY="$` + a.Key + `"`
	}
	return ""
}

// Credential returns curl's flags for each kind of credential; for one that only other clients send, those for the key. The key
// comes from the environment, and the shell alters it if needed.
func Credential(a exchange.Auth) []string {
	c, known := invalid.CredentialOf(a)
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
