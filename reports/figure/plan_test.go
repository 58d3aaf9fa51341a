package figure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"petconform/load/judge"
	"petconform/reports/internal/test/sample"
)

// TestCharts: every chart of a load run says what it shows, in words and in a table, and is numbered without a gap.
func TestCharts(t *testing.T) {
	r := sample.Load("Free", "Pro", "Business")
	for i := range r.Plans[2].Series[0].Remaining { // its first figure has nothing to show
		r.Plans[2].Series[0].Remaining[i] = -1
	}
	for i, p := range Of(r) {
		if want := []int{3, 3, 2}[i]; len(p.Charts) != want {
			t.Fatalf("%s has %d charts; %d are wanted", p.Plan, len(p.Charts), want)
		}
		for n, c := range p.Charts {
			id := fmt.Sprintf("figure-%d%s", n+1, []string{"", "-pro", "-business"}[i])
			if c.ID != id || !strings.HasPrefix(c.Title, fmt.Sprintf("Figure %d, %s: ", n+1, p.Plan)) {
				t.Errorf("%s, %q; %s is wanted", c.ID, c.Title, id)
			}
			table := c.Table()
			if c.Caption == "" || c.N == 0 || c.Of == "" || c.X == "" || c.Y == "" || len(table.Rows) == 0 || len(table.Rows) > maxRows || table.All < len(table.Rows) {
				t.Errorf("%s lacks a part: %+v", c.ID, c)
			}
		}
	}
}

// TestTheBusiestKeyIsShown: the chart that decides marks the largest number of any key, not that of the first one.
func TestTheBusiestKeyIsShown(t *testing.T) {
	r := sample.Load("Free")
	r.Plans[0].Series[1].InWindow[70] = 99
	c := Of(r)[0].Charts[1]
	steps, limit, peak := c.Layers[0], c.Layers[1], c.Layers[2]
	if steps.Name != "accepted, key Free-2" || peak.Points[0].Y != 99 || limit.Points[0].Y != 60 {
		t.Errorf("%s, peak %v, limit %v; want the key Free-2, 99 and 60", steps.Name, peak.Points, limit.Points)
	}
	if rows := c.Table().Rows; !slices.ContainsFunc(rows, func(row []string) bool { return row[1] == "99" }) {
		t.Errorf("99 is not in the table %v", rows)
	}
}

// TestTimesAreMinutesOfTheTarget: a target whose minute lasts 2 seconds has its tenth at 20 seconds.
func TestTimesAreMinutesOfTheTarget(t *testing.T) {
	r := sample.Load("Free")
	r.MinuteS = 2
	c := Of(r)[0].Charts[0]
	if at := c.Layers[0].Points[61].X; at != 60.01/2 || !strings.Contains(c.X, "of 2 s") {
		t.Errorf("the request of second 60.01 lies at %v, of %q", at, c.X)
	}
}

// TestNumbers: a percentile is there only of enough requests.
func TestNumbers(t *testing.T) {
	r := sample.Load("Free")
	q := judge.Quantiles{P50: 2, P90: 4, P99: 8, P999: 16, Max: 1032}
	for n, want := range map[int]string{0: "", 9: "9 2 – – – 1,032", 424: "424 2 4 8 – 1,032", 1000: "1,000 2 4 8 16 1,032"} {
		q.N = n
		r.Plans[0].AcceptedMS, r.Plans[0].LimitedMS = q, judge.Quantiles{}
		got := ""
		for _, row := range Of(r)[0].Times.Rows {
			if row[0] == "accepted" {
				got = strings.Join(row[1:], " ")
			}
		}
		if got != want {
			t.Errorf("%d requests: %q; want %q", n, got, want)
		}
	}
}
