package settings

import (
	"fmt"
	"regexp"
	"strings"
)

// Lookup returns the value of an environment variable, and whether it is set; os.LookupEnv is one.
type Lookup func(name string) (string, bool)

// variable matches ${NAME}, and what was likely meant as one.
var variable = regexp.MustCompile(`\$\{([^}]*)(\}|$)`)

// variableName matches the names of variables that hold secrets. An underscore is asked for, since a key may consist of
// capitals and digits too, and would be printed as a name.
var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// Expand replaces each ${NAME} in text by the value of the variable and returns these values as well. A dollar sign
// without a brace stays. A variable that is not set or empty is an error.
func Expand(text string, env Lookup) (expanded string, values []string, err error) {
	expanded = variable.ReplaceAllStringFunc(text, func(reference string) string {
		name, closed := strings.CutSuffix(strings.TrimPrefix(reference, "${"), "}")
		value, _ := env(name)
		switch {
		case err != nil:
		case !closed || name == "":
			err = fmt.Errorf("%q is not a variable; use one like ${NAME}", reference)
		case value == "":
			err = fmt.Errorf("the variable %s is not set", name)
		}
		values = append(values, value)
		return value
	})
	return expanded, values, err
}

// Variables returns the names of the variables in texts.
func Variables(texts ...string) []string {
	var names []string
	for _, text := range texts {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// hasVariable reports whether the value of text depends on the environment.
func hasVariable(text string) bool { return variable.MatchString(text) }
