package shell

import (
	"regexp"

	"petconform/spec/exchange"
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

const authorization = `"Authorization: Bearer `

// Credential returns curl's flags for each kind of credential. The key comes from the environment, and the shell alters it if
// needed.
func Credential(a exchange.Auth) []string {
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
	case exchange.ChangedEndKey:
		return []string{"-H " + authorization + `$(printf %s "$PETCONFORM_KEY" | sed 's/[A-Za-f]\([^A-Za-z0-9]*\)$/w\1/;t;s/[g-z0-9]\([^A-Za-z0-9]*\)$/B\1/')"`}
	case exchange.QuotedKey:
		return []string{"-H " + authorization + `\"$PETCONFORM_KEY\""`}
	case exchange.CommaKey:
		return []string{"-H " + authorization + `$PETCONFORM_KEY,x"`}
	case exchange.SpacedKey:
		return []string{"-H " + authorization + `$PETCONFORM_KEY x"`}
	case exchange.NullKey:
		return []string{"-H " + `'Authorization: Bearer null'`}
	case exchange.DottedKey:
		return []string{"-H " + `'Authorization: Bearer a.b.c'`}
	case exchange.GluedScheme:
		return []string{`-H "Authorization: Bearer$PETCONFORM_KEY"`}
	case exchange.ColonScheme:
		return []string{`-H "Authorization: Bearer: $PETCONFORM_KEY"`}
	case exchange.PlainBasicScheme:
		return []string{"-H " + `"Authorization: Basic $PETCONFORM_KEY"`}
	case exchange.LongerScheme:
		return []string{"-H " + `"Authorization: BearerX $PETCONFORM_KEY"`}
	case exchange.KeyHeader:
		return []string{"-H " + `"X-Api-Key: $PETCONFORM_KEY"`, "-H " + `"Cookie: api_key=$PETCONFORM_KEY"`}
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
