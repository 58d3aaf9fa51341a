package figure

import (
	"fmt"
	"strings"
	"testing"

	"petconform/load/judge"
	"petconform/reports/internal/sample"
)

// TestNumbering: a figure that has nothing to show leaves no gap between the others.
func TestNumbering(t *testing.T) {
	r := sample.Load("Free")
	r.Plans[0].Series, r.Plans[0].Waits = r.Plans[0].Series[:1], nil
	for i, c := range Of(r, nil)[0].Charts {
		if want := fmt.Sprintf("figure-%d", i+1); c.ID != want || !strings.HasPrefix(c.Title, fmt.Sprintf("Figure %d,", i+1)) {
			t.Errorf("chart %d is %s, %q; %s is wanted", i+1, c.ID, c.Title, want)
		}
	}
}

// TestPercentiles: a percentile is told only of enough answers.
func TestPercentiles(t *testing.T) {
	q := judge.Quantiles{P50: 2, P90: 4, P99: 8, P999: 16, Max: 1032}
	for n, want := range map[int]string{0: "none", 9: "half within 2 ms, all within 1,032 ms", 424: "half within 2 ms, 99 of 100 within 8 ms, all within 1,032 ms",
		1000: "half within 2 ms, 99 of 100 within 8 ms, 999 of 1,000 within 16 ms, all within 1,032 ms"} {
		if q.N = n; Spread(q) != want {
			t.Errorf("%d answers: %q; %q is wanted", n, Spread(q), want)
		}
	}
	for _, c := range Of(sample.Load("Free"), nil)[0].Charts {
		if text := fmt.Sprint(c.Caption, c.Series, c.Table); strings.Contains(text, "999 of") || strings.Contains(text, "99.9") {
			t.Errorf("%s speaks of one in a thousand, of %d answers", c.ID, c.N)
		}
	}
}
