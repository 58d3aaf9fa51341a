package settings

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"golang.org/x/net/http/httpguts"

	"petconform/spec/exchange"
)

// ownHeaders are the headers that petconform itself has to set, with the reason.
var ownHeaders = map[string]string{
	"Authorization":     "it carries the API key, which comes from PETCONFORM_KEY or --key-file",
	"X-Api-Key":         "a check sends the key in it, to see that it is refused",
	"Host":              "it follows from the target; use --resolve to reach the target at another address",
	"Accept":            "the checks set it",
	"Accept-Encoding":   "the client sets it, so that it can decode the response",
	"Content-Type":      "the checks set it",
	"Content-Length":    "it follows from the body",
	"Transfer-Encoding": "it follows from the body",
	"Connection":        "it belongs to the connection, not to the request",
	"Upgrade":           "it belongs to the connection, not to the request",
	"Te":                "it belongs to the connection, not to the request",
	"Trailer":           "it belongs to the connection, not to the request",
	"Expect":            "it changes how a response comes",
}

// Headers parses values of --header: "Name: value" with variables like ${NAME}. The values of the variables are
// returned as secrets.
func Headers(all []string, env Lookup) (http.Header, []exchange.Secret, error) {
	h := http.Header{}
	var secrets []exchange.Secret
	for _, raw := range all {
		name, value, err := headerOf(raw)
		if err != nil {
			return nil, nil, err
		}
		expanded, values, err := Expand(value, env)
		if err != nil {
			return nil, nil, fmt.Errorf("the header %s: %w", name, err)
		}
		if !httpguts.ValidHeaderFieldValue(expanded) {
			return nil, nil, fmt.Errorf("the header %s: its value has a control character, such as a line break", name)
		}
		h.Add(name, expanded)
		for _, v := range values {
			secrets = append(secrets, exchange.NewSecret(v))
		}
	}
	return h, secrets, nil
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
	if why, own := ownHeaders[name]; own {
		return "", "", fmt.Errorf("the header %s can't be set: %s", name, why)
	}
	if value == "" {
		return "", "", fmt.Errorf("the header %s has no value", name)
	}
	if exchange.NamesSecret(name) && !hasVariable(value) {
		return "", "", fmt.Errorf("the header %s looks like a secret; put its value into a variable and write '%s: ${NAME}', in single quotes on a command line", name, name)
	}
	return name, value, nil
}

// writable matches values that have no secret: a variable, perhaps after the word of a scheme, as in "Token ${GATE}".
var writable = regexp.MustCompile(`^([A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// HeadersToRepeat returns headers for a line that runs again. Another value than a variable's is replaced by a variable
// of the header's name, which has to be set then.
func HeadersToRepeat(all []string) []string {
	var out []string
	for _, raw := range all {
		name, value, _ := strings.Cut(raw, ":")
		if value = strings.TrimSpace(value); !writable.MatchString(value) {
			value = "${" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "}"
		}
		out = append(out, name+": "+value)
	}
	return out
}

// HeadersToPrint returns headers as they may be printed: a value that has no variable is left out.
func HeadersToPrint(all []string) []string {
	var out []string
	for _, raw := range all {
		name, value, _ := strings.Cut(raw, ":")
		if !hasVariable(value) {
			value = " …"
		}
		out = append(out, name+":"+value)
	}
	return out
}
