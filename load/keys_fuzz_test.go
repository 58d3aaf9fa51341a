package load_test

import (
	"strings"
	"testing"

	"petconform/load"
)

// FuzzReadKeys checks that no key of a file of keys is in an error or in a label. Any word of the file may be a secret.
func FuzzReadKeys(f *testing.F) {
	for _, seed := range []string{"", "# none\n", "Free pet-key-0123456789\nEnterprise:5000:1000000 pet-key-abcdefghij\n", "pet-key-0123456789 Free\n",
		"Free pet-key-0123456789\nPro pet-key-0123456789\n", "Free:1:2:3 pet-key-0123456789\n", "pet-key-0123456789\n", "Free " + strings.Repeat("k", 70_000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, err := load.ReadKeys(string(data))
		said := ""
		if err != nil {
			said = err.Error()
		}
		for _, k := range keys {
			said += "\n" + k.Label
		}
		const words = "first second third line with other than has the a word plan: use Free, Pro, Business or Enterprise"
		for _, word := range strings.Fields(string(data)) {
			if len(word) >= 8 && strings.Contains(said, word) && !strings.Contains(words, word) {
				t.Errorf("%q stands in %q", word, said)
			}
		}
		if (err == nil) != (len(keys) > 0) {
			t.Errorf("%d keys, error %v", len(keys), err)
		}
	})
}
