package exchange_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"petconform/spec/exchange"
)

func spelled(key, format string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// forms are those in which a target may echo a key.
func forms(key string) map[string]string {
	backwards := []byte(key)
	slices.Reverse(backwards)
	quoted, _ := json.Marshal(spelled(key, `\u%04x`))
	all := map[string]string{
		"plain": key, "upper case": strings.ToUpper(key), "lower case": strings.ToLower(key), "a header's name": "X-" + strings.ToLower(key),
		"JSON": spelled(key, `\u%04x`), "JSON in JSON": string(quoted), "slashes": strings.Join(strings.Split(key, ""), `\/`),
		"percent": spelled(key, "%%%02X"), "percent of percent": spelled(spelled(key, "%%%02X"), "%%%02x"),
		"entities": spelled(key, "&#%d;"), "entities in hex": spelled(key, "&#x%x;"), "escaped entities": html.EscapeString(spelled(key, "&#%05d;")),
		"numbers": strings.TrimSuffix(spelled(key, "%d,"), ","), "numbers in lines": spelled(key, "%d\n"),
		"hex": spelled(key, "%02x"), "hex with colons": spelled(key, "%02X:"),
		"reversed": string(backwards), "spaced": spelled(key, "%c "), "dashed": spelled(key, "%c-\n"), "UTF-16": spelled(key, "%c\x00"),
	}
	for n, before := range []string{"", "a", "ab"} {
		all[fmt.Sprint("base64, offset ", n)] = base64.StdEncoding.EncodeToString([]byte(before + key + ": more"))
		all[fmt.Sprint("base64url, offset ", n)] = base64.RawURLEncoding.EncodeToString([]byte(before + key))
	}
	return all
}

// TestEveryForm: a key is taken out in every form, wherever it stands, and nothing but it.
func TestEveryForm(t *testing.T) {
	for _, key := range []string{"pet-0123456789abcdef", "sk_live_51H8x/aZ+q==9Yt.Pq", "0f8fad5b-d9cb-469f-a165-70867728950e", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"} {
		r := exchange.NewRedactor(exchange.NewSecret("other-0123456789"), exchange.NewSecret(key))
		for name, form := range forms(key) {
			for _, around := range [][2]string{{"", ""}, {`{"a":"`, `"}`}, {"~ ", " ~"}, {strings.Repeat(".", 7), "\x00"}} {
				data := []byte(around[0] + form + around[1])
				clean, hit := r.Redact(data)
				if !hit || !r.Found(data) || r.Found(clean) || bytes.Contains(clean, []byte(key[3:])) {
					t.Errorf("%s of %q: %q became %q", name, key, data, clean)
				}
				if !bytes.HasPrefix(clean, []byte(around[0])) || len(clean) > len(data) {
					t.Errorf("%s of %q: %q became %q, without what stood beside it", name, key, data, clean)
				}
			}
		}
	}
}

// TestNoKeyIsSeen: text without the key stays as it is.
func TestNoKeyIsSeen(t *testing.T) {
	r := exchange.NewRedactor(exchange.NewSecret("pet-0123456789abcdef"))
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, 200)
		for i := range data {
			data[i] = "pet-0123456789abcdef%\\u&#;xPET "[random.IntN(31)]
		}
		if clean, hit := r.Redact(data); hit || !bytes.Equal(clean, data) {
			t.Errorf("%q became %q", data, clean)
		}
	}
}

// TestRedactJSON: a document stays well-formed, and a key in two strings of it is not seen.
func TestRedactJSON(t *testing.T) {
	const key = "pet-0123456789abcdef"
	r := exchange.NewRedactor(exchange.NewSecret(key))
	for name, form := range forms(key) {
		data, err := json.Marshal(map[string]any{"body": `{"a":"` + form + `"}`, form: []string{"b", form}})
		if err != nil {
			t.Fatal(err)
		}
		clean, hit := r.RedactJSON(data)
		if !hit || r.FoundInJSON(clean) || !json.Valid(clean) {
			t.Errorf("%s: %s became %s", name, data, clean)
		}
	}
	if split := []byte(`["pet-0123","4567"]`); r.FoundInJSON(split) || !r.Found(split) {
		t.Error("a key in two strings is not in one of them")
	}
}
