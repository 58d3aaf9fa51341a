package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"petconform/spec/exchange"
)

// ownHeaders are the headers that petconform itself has to set, or that change how a response comes.
var ownHeaders = strings.Fields("Authorization X-Api-Key Host Accept Accept-Encoding Content-Type Content-Length " +
	"Transfer-Encoding Connection Upgrade Te Trailer Expect")

// headersOf parses values of --header: "Name: value" with variables of the environment like ${NAME}. It returns the
// values of the variables as secrets.
func headersOf(all []string) (http.Header, []exchange.Secret, error) {
	h := http.Header{}
	var secrets []exchange.Secret
	for _, raw := range all {
		name, value, err := headerOf(raw)
		if err != nil {
			return nil, nil, err
		}
		for _, variable := range variablesIn(value) {
			secret := os.Getenv(variable)
			if secret == "" {
				return nil, nil, fmt.Errorf("the header %s: the variable %s is not set", name, variable)
			}
			secrets = append(secrets, exchange.NewSecret(secret))
			value = strings.ReplaceAll(value, "${"+variable+"}", secret)
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			return nil, nil, fmt.Errorf("the header %s: its value has a control character, such as a line break", name)
		}
		h.Add(name, value)
	}
	return h, secrets, nil
}

// variable matches ${NAME}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// variablesIn returns the names of the variables in texts.
func variablesIn(texts ...string) []string {
	var names []string
	for _, text := range texts {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// headerOf splits a header and refuses one that petconform sets itself, or that has a secret in plain sight. No error
// has the value.
func headerOf(raw string) (name, value string, err error) {
	name, value, found := strings.Cut(raw, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found {
		return "", "", fmt.Errorf("a header has no colon; use one like 'X-Tenant: blue'")
	}
	if !httpguts.ValidHeaderFieldName(name) {
		return "", "", fmt.Errorf("%q is not the name of a header; use one like 'X-Tenant: blue'", name)
	}
	name = http.CanonicalHeaderKey(name)
	if slices.Contains(ownHeaders, name) {
		return "", "", fmt.Errorf("the header %s can't be set: petconform does. The API key comes from PETCONFORM_KEY or "+
			"--key-file, and --resolve reaches the target at another address", name)
	}
	if value == "" {
		return "", "", fmt.Errorf("the header %s has no value", name)
	}
	if exchange.NamesSecret(name) && !variable.MatchString(value) {
		return "", "", fmt.Errorf("the header %s looks like a secret; put its value into a variable and write '%s: ${NAME}', in single quotes on a command line", name, name)
	}
	return name, value, nil
}

// writable matches values that have no secret: a variable, perhaps after the word of a scheme, as in "Token ${GATE}".
var writable = regexp.MustCompile(`^([A-Za-z]+ )?` + variable.String() + `$`)

// headerToRepeat returns a header for a line that runs again. Another value than a variable's is replaced by a variable
// of the header's name, which has to be set then.
func headerToRepeat(raw string) string {
	name, value, _ := strings.Cut(raw, ":")
	if value = strings.TrimSpace(value); !writable.MatchString(value) {
		value = "${" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "}"
	}
	return name + ": " + value
}
