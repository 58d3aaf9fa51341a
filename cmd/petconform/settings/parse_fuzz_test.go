package settings

import (
	"bytes"
	"testing"

	"petconform/spec/exchange"
)

// FuzzParse: whatever a file has, it is taken or refused, and one with a key is refused.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "max-creates: 4\nonly: [list-all, AUTH-2]\n", "target: http://127.0.0.1:1/v1\n", "key: secret\n", "max-create: 4\n", "max-creates: many\n",
		"a: &a [x, x]\nonly: [*a, *a]\n", "only: {a: b}\n", "- target\n", "target: [", "wait-ready: 1h\nread-only: yes\n", "? [a]\n: b\n", "1: 2\n",
		"targets:\n  staging: {address: 'https://${HOST}/v1', plans: {Free: FREE_KEY}}\n", "headers: {X-Tenant: blue}\n", "out: " + key + "\n"} {
		f.Add([]byte(seed))
	}
	app := application(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Parse("f.yaml", data, app, exchange.NewSecret(key)); err == nil && bytes.Contains(data, []byte(key)) {
			t.Error("a file with a key was taken")
		}
	})
}
