package figure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"petconform/load/judge"
	"petconform/reports/internal/test/sample"
)

// TestCharts: every chart of a load run says what it shows, in words and in a table.
func TestCharts(t *testing.T) {
	plans := Of(sample.Load("Free", "Pro"))
	if len(plans) != 2 || len(plans[0].Charts) != 3 || plans[0].Charts[1].ID != "figure-2" || plans[1].Charts[1].ID != "figure-2-pro" {
		t.Fatalf("%d plans, %d charts; want 2 and 3, figure-2 and figure-2-pro among them", len(plans), len(plans[0].Charts))
	}
	for _, p := range plans {
		for _, c := range p.Charts {
			if c.Title == "" || c.Caption == "" || c.N == 0 || c.Of == "" || c.X.Label == "" || c.Y.Label == "" || len(c.Table.Rows) == 0 || len(c.Table.Rows) > MaxRows {
				t.Errorf("%s lacks a part: title %q, caption %q, n %d %s, axes %q and %q, %d rows", c.ID, c.Title, c.Caption, c.N, c.Of, c.X.Label, c.Y.Label, len(c.Table.Rows))
			}
		}
	}
}

// TestTheBusiestKeyIsShown: the chart that decides marks the largest number of any key, not that of the first one.
func TestTheBusiestKeyIsShown(t *testing.T) {
	r := sample.Load("Free")
	r.Plans[0].Series[1].InWindow[70] = 99
	c := Of(r)[0].Charts[1]
	if len(c.Series) != 2 || c.Series[1].Name != "accepted, key Free-2" || c.Peak.Y != 99 || c.Limit != 60 {
		t.Errorf("%d series, peak %v, limit %v; want the key Free-2 beside the first, 99 and 60", len(c.Series), c.Peak, c.Limit)
	}
	if !slices.ContainsFunc(c.Table.Rows, func(row []string) bool { return row[1] == "99" }) {
		t.Errorf("99 is not in the table %v", c.Table.Rows)
	}
	rows := Of(r)[0].ByKey.Rows
	if want := []string{"Free-2", "99"}; len(rows) != 2 || !slices.Equal(rows[1][:2], want) || rows[0][3] != "1 to 60" {
		t.Errorf("the keys are %v; want Free-2 with 99, and resets 1 to 60 s away", rows)
	}
}

// TestTimesAreMinutesOfTheTarget: a target whose minute lasts 2 seconds has its tenth at 20 seconds.
func TestTimesAreMinutesOfTheTarget(t *testing.T) {
	r := sample.Load("Free")
	r.MinuteS = 2
	p := Of(r)[0]
	if got := p.Minute.At(20); got != "10.00" {
		t.Errorf("20 s is minute %s; want 10.00", got)
	}
	c := p.Charts[0]
	if at := c.Series[0].Points[61].X; at != 60.01/2 || !strings.Contains(c.X.Label, "of 2 s") {
		t.Errorf("the request of second 60.01 lies at %v, of %q", at, c.X.Label)
	}
}

// TestNumbering: a figure that has nothing to show leaves no gap between the others.
func TestNumbering(t *testing.T) {
	r := sample.Load("Free")
	for i := range r.Plans[0].Series[0].Remaining {
		r.Plans[0].Series[0].Remaining[i] = -1
	}
	for i, c := range Of(r)[0].Charts {
		if want := fmt.Sprintf("figure-%d", i+1); c.ID != want || !strings.HasPrefix(c.Title, fmt.Sprintf("Figure %d,", i+1)) {
			t.Errorf("chart %d is %s, %q; want %s", i+1, c.ID, c.Title, want)
		}
	}
}

// TestNumbers: a percentile is there only of enough requests, and each wait has what it asked for.
func TestNumbers(t *testing.T) {
	r := sample.Load("Free")
	q := judge.Quantiles{P50: 2, P90: 4, P99: 8, P999: 16, Max: 1032}
	for n, want := range map[int]string{0: "", 9: "9: 2 – – – 1,032", 424: "424: 2 4 8 – 1,032", 1000: "1,000: 2 4 8 16 1,032"} {
		q.N = n
		r.Plans[0].AcceptedMS, r.Plans[0].LimitedMS = q, judge.Quantiles{}
		got := ""
		for _, row := range Of(r)[0].Times.Rows {
			if row[0] == "accepted" {
				got = row[1] + ": " + strings.Join(row[2:], " ")
			}
		}
		if got != want {
			t.Errorf("%d requests: %q; want %q", n, got, want)
		}
	}
	waits := Of(r)[0].Waits
	if want := []string{"0.03", "recover", "58", "58", "accepted"}; len(waits.Rows) != 4 || !slices.Equal(waits.Rows[0], want) {
		t.Errorf("the waits are %q; want four, the first %q", waits.Rows, want)
	}
}
