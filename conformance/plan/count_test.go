package plan

import "testing"

func TestCount(t *testing.T) {
	n := 0
	for _, c := range All() {
		k := 0
		for _, r := range c.Rows {
			if !r.Full && !r.Spare {
				k++
			}
		}
		n += k
		t.Logf("%3d %s", k, c.ID)
	}
	t.Log(n)
}
