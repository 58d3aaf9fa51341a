package invalid

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
)

// TestEveryCredential: what each kind sends of a key, in the order in which checks send it. A recording names a kind, and the
// order decides which kind a run with some seed sends.
func TestEveryCredential(t *testing.T) {
	const right = "map[Authorization:[Bearer Kx-abc9]]"
	for breaks, want := range map[spec.ID][][2]string{
		"":       {{"key", right}, {"other-key", right}, {"lower-case-scheme", "map[Authorization:[bearer Kx-abc9]]"}},
		"AUTH-2": {{"none", "map[]"}},
		"AUTH-3": {{"unknown", "map[Authorization:[Bearer petconform-unknown-key-0d9f6c1e5b7a]]"}, {"prefixed", "map[Authorization:[Bearer xKx-abc9]]"},
			{"empty", "map[Authorization:[Bearer ]]"}, {"truncated", "map[Authorization:[Bearer Kx-abc]]"},
			{"extended", "map[Authorization:[Bearer Kx-abc9x]]"}, {"swapped-case", "map[Authorization:[Bearer kX-ABC9]]"},
			{"with-space", "map[Authorization:[Bearer Kx-abc9 Kx-abc9]]"}, {"undefined", "map[Authorization:[Bearer undefined]]"},
			{"not-ascii", "map[Authorization:[Bearer schlüssel]]"}, {"damaged", "map[Authorization:[Bearer Kx-abcB]]"},
			{"quoted", `map[Authorization:[Bearer "Kx-abc9"]]`},
			{"with-comma", "map[Authorization:[Bearer Kx-abc9,x]]"}, {"null", "map[Authorization:[Bearer null]]"},
			{"three-parts", "map[Authorization:[Bearer a.b.c]]"}, {"condition", "map[Authorization:[Bearer x'or'1'='1]]"},
			{"8-kB", "map[Authorization:[Bearer " + strings.Repeat("k", 8000) + "]]"}},
		"AUTH-4": {{"no-scheme", "map[Authorization:[Kx-abc9]]"}, {"api-key", "map[Authorization:[ApiKey Kx-abc9]]"},
			{"key-header", "map[Cookie:[api_key=Kx-abc9] X-Api-Key:[Kx-abc9]]"}, {"basic", "map[Authorization:[Basic S3gtYWJjOTo=]]"},
			{"basic-password", "map[Authorization:[Basic cGV0Y29uZm9ybTpLeC1hYmM5]]"},
			{"token", "map[Authorization:[Token Kx-abc9]]"}, {"longer-scheme", "map[Authorization:[BearerX Kx-abc9]]"},
			{"plain-basic", "map[Authorization:[Basic Kx-abc9]]"}, {"glued-scheme", "map[Authorization:[BearerKx-abc9]]"},
			{"scheme-with-colon", "map[Authorization:[Bearer: Kx-abc9]]"}},
	} {
		var got [][2]string
		for _, a := range Credentials(breaks) {
			c, known := CredentialOf(a)
			if !known {
				t.Errorf("%s is not found", a)
			}
			got = append(got, [2]string{string(a), fmt.Sprint(map[string][]string(c.Header("Kx-abc9")))})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v\n%v is wanted", breaks, got, want)
		}
	}
	if _, known := CredentialOf(exchange.OtherForm); known {
		t.Error("petconform never sends a key in the query")
	}
}

// TestAWrongKeyIsAnother: whatever characters a key has, none of the wrong ones is the key itself.
func TestAWrongKeyIsAnother(t *testing.T) {
	for _, key := range []string{"12345678", "---", "x", "X", "1", "00000000-0000"} {
		for _, a := range slices.Concat(Credentials("AUTH-3"), Credentials("AUTH-4")) {
			if c, _ := CredentialOf(a); c.Header(key).Get("Authorization") == "Bearer "+key {
				t.Errorf("%s of %q is the key itself", a, key)
			}
		}
	}
}
