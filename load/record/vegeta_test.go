package record

import (
	"bytes"
	"testing"
	"time"

	"petconform/spec/exchange"
)

// pieces keeps what each Write got.
type pieces [][]byte

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, bytes.Clone(b))
	return len(b), nil
}

// A run that is killed leaves a file that vegeta can read, no more than a second or 32 kB behind.
func TestVegetasLinesAreWrittenWholeAndSoon(t *testing.T) {
	for gap, few := range map[time.Duration]int{time.Millisecond: 300, 2 * time.Second: 1} {
		var file pieces
		rec := &Recording{Meta: exchange.Meta{Target: "http://pets.test/v1", Started: started}, Lanes: []Lane{{Plan: "Free"}}}
		lines := NewVegeta(&file, rec)
		c := NewCollector(rec, nil, lines)
		held := 0
		for i := range 600 {
			was := len(file)
			if err := c.Add(&Record{Phase: Fill, Role: Spend, Sent: time.Duration(i+1) * gap}, listed(200, nil, "[]")); err != nil {
				t.Fatal(err)
			}
			if held++; len(file) > was {
				held = 0
			}
			if held >= few {
				t.Fatalf("%s apart: %d lines are held back", gap, held)
			}
		}
		if err := lines.Flush(); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, piece := range file {
			if n += bytes.Count(piece, []byte("\n")); piece[len(piece)-1] != '\n' {
				t.Errorf("%s apart: a line was cut: …%q", gap, piece[max(0, len(piece)-40):])
			}
		}
		if n != 600 {
			t.Errorf("%s apart: 600 lines were wanted, not %d", gap, n)
		}
	}
}
