package figure

import (
	"fmt"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
)

// TestCharts: every chart of a load run says what it shows, in words and in a table, and is numbered without a gap.
func TestCharts(t *testing.T) {
	r := sample.Load("Free", "Pro", "Business")
	for i := range r.Plans[2].Steps { // its first figure has nothing to show
		r.Plans[2].Steps[i].Remaining = -1
	}
	n := 0
	for i, p := range Of(r) {
		if want := []int{3, 3, 2}[i]; len(p.Charts) != want {
			t.Fatalf("%s has %d charts; %d are wanted", p.Plan, len(p.Charts), want)
		}
		for _, c := range p.Charts {
			n++
			id, title := fmt.Sprintf("figure-%d", n), fmt.Sprintf("Figure %d, %s: ", n, p.Plan)
			if c.ID != id || !strings.HasPrefix(c.Title, title) {
				t.Errorf("%s, %q; %s is wanted", c.ID, c.Title, id)
			}
			rows := c.Table().Rows
			if c.Caption == "" || c.N == 0 || c.Of == "" || c.Y == "" || len(rows) == 0 || len(rows) > maxRows {
				t.Errorf("%s lacks a part: %+v", c.ID, c)
			}
		}
	}
}

// TestTheMostIsMarked: the chart that decides marks the largest number of any key.
func TestTheMostIsMarked(t *testing.T) {
	r := sample.Load("Free")
	r.Plans[0].Steps[70].InWindow = 99
	c := Of(r)[0].Charts[1]
	limit, peak := c.Layers[1], c.Layers[2]
	if peak.Points[0] != (XY{r.Plans[0].Steps[70].S, 99}) || limit.Points[0].Y != 60 {
		t.Errorf("peak %v, limit %v; want 99 in step 70, and 60", peak.Points, limit.Points)
	}
}
