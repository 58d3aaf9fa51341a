package load

import (
	"strings"
	"testing"
)

func TestReadKeys(t *testing.T) {
	keys, err := ReadKeys("# ours\nFree one-key\n\nenterprise:5000:1000000 two-key\n")
	if err != nil || len(keys) != 2 {
		t.Fatalf("want two keys; got %d (%v)", len(keys), err)
	}
	if e := keys[1]; e.Plan.PerMinute != 5000 || e.Plan.PerDay != 1_000_000 || e.Label != "Enterprise, line 4" {
		t.Errorf("want Enterprise with its own figures; got %+v", e)
	}
	for name, text := range map[string]string{
		"nothing": "# only this\n", "no key": "Free\n", "unknown plan": "Gold k\n",
		"words for figures": "Enterprise:many k\n", "too many figures": "Enterprise:1:2:3 k\n",
	} {
		if _, err := ReadKeys(text); err == nil {
			t.Errorf("%s: want an error", name)
		} else if strings.Contains(err.Error(), "key k") {
			t.Errorf("%s: the error names the key: %v", name, err)
		}
	}
}

func TestParseShard(t *testing.T) {
	for _, c := range []struct {
		text string
		i, n int
		bad  bool
	}{
		{"", 0, 0, false},
		{"1/4", 1, 4, false},
		{"0/1", 0, 1, false},
		{"4", 0, 0, true},
		{"/4", 0, 0, true},
		{"4/4", 0, 0, true},
		{"-1/4", 0, 0, true},
		{"a/b", 0, 0, true},
		{"1/4/2", 0, 0, true},
	} {
		i, n, err := ParseShard(c.text)
		if (err != nil) != c.bad || err == nil && (i != c.i || n != c.n) {
			t.Errorf("--shard %q: want %d/%d (error %t); got %d/%d (%v)", c.text, c.i, c.n, c.bad, i, n, err)
		}
	}
}
