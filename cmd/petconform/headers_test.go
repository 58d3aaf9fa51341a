package main

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"petconform/spec/exchange"
)

func TestHeaders(t *testing.T) {
	t.Setenv("HOST", "staging.example")
	h, secrets, err := headersOf([]string{"x-tenant: blue", "X-Gate-Token: v1-${HOST}", "X-Tenant:green"})
	if err != nil || !maps.EqualFunc(h, http.Header{"X-Tenant": {"blue", "green"}, "X-Gate-Token": {"v1-staging.example"}}, slices.Equal) ||
		!slices.Equal(secrets, []exchange.Secret{exchange.NewSecret("staging.example")}) {
		t.Errorf("%v, %d secrets, %v", h, len(secrets), err)
	}
}

// TestWrongHeaders: what cannot work is refused with the reason, and without the value.
func TestWrongHeaders(t *testing.T) {
	t.Setenv("HOST", "staging.example")
	for raw, want := range map[string]string{
		"hunter2":                "a header has no colon; use one like 'X-Tenant: blue'",
		"X Tenant: blue":         `"X Tenant" is not the name of a header; use one like 'X-Tenant: blue'`,
		": hunter2":              `"" is not the name of a header; use one like 'X-Tenant: blue'`,
		"X-Tenant:":              "the header X-Tenant has no value",
		"X-Tenant: ${NONE}":      "the header X-Tenant: the variable NONE is not set",
		"X-Tenant: a\r\nX-B: b":  "the header X-Tenant: its value has a control character, such as a line break",
		"Cookie: hunter2":        "the header Cookie looks like a secret; put its value into a variable and write 'Cookie: ${NAME}', in single quotes on a command line",
		"authorization: ${HOST}": "the header Authorization can't be set: petconform does. The API key comes from PETCONFORM_KEY or --key-file, and --resolve reaches the target at another address",
	} {
		if _, _, err := headersOf([]string{raw}); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", raw, err, want)
		}
	}
}
