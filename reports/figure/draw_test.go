package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"petconform/load/judge"
	"petconform/reports/internal/sample"
)

// TestCharts: every chart of a load run is drawn, is a drawing on its own, says what it shows and carries no style of its own.
func TestCharts(t *testing.T) {
	last := sample.Load("Free")
	plans := Of(sample.Load("Free", "Pro"), &last)
	if len(plans) != 2 || len(plans[0].Charts) != 10 || plans[0].Charts[1].ID != "figure-2" || plans[1].Charts[1].ID != "figure-2-pro" {
		t.Fatalf("%d plans, %d charts; 2 and 10 are wanted, figure-2 and figure-2-pro among them", len(plans), len(plans[0].Charts))
	}
	total := 0
	for _, p := range plans {
		for _, c := range p.Charts {
			if c.Title == "" || c.Caption == "" || c.N == 0 || c.Of == "" || c.X.Label == "" || c.Y.Label == "" || len(c.Table.Rows) == 0 || len(c.Table.Rows) > MaxRows {
				t.Errorf("%s lacks a part: title %q, caption %q, n %d %s, axes %q and %q, %d rows", c.ID, c.Title, c.Caption, c.N, c.Of, c.X.Label, c.Y.Label, len(c.Table.Rows))
			}
			svg, err := Draw(c)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Draw(c)
			if !bytes.Equal(svg, again) {
				t.Errorf("%s is another the second time", c.ID)
			}
			look(t, c, svg)
			total += len(svg)
		}
	}
	t.Logf("20 drawings, %d bytes on average", total/20)
}

func look(t *testing.T, c Chart, svg []byte) {
	t.Helper()
	in := xml.NewDecoder(bytes.NewReader(svg))
	var title string
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s is no XML: %v", c.ID, err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.HasSuffix(a.Name.Local, "href") {
				t.Errorf("%s: <%s> has %s", c.ID, e.Name.Local, a.Name.Local)
			}
		}
		switch e.Name.Local {
		case "title":
			title = words(in)
		case "svg":
			if !slices.Contains(e.Attr, xml.Attr{Name: xml.Name{Local: "role"}, Value: "img"}) || !slices.Contains(e.Attr, xml.Attr{Name: xml.Name{Local: "width"}, Value: "720"}) ||
				!slices.Contains(e.Attr, xml.Attr{Name: xml.Name{Local: "aria-describedby"}, Value: c.ID + "-d"}) {
				t.Errorf("%s: role, width and what describes it are wanted: %v", c.ID, e.Attr)
			}
		}
	}
	if title != c.Title {
		t.Errorf("%s is titled %q", c.ID, title)
	}
}

func words(in *xml.Decoder) string {
	token, _ := in.Token()
	data, _ := token.(xml.CharData)
	return string(data)
}

// TestHostileChart: words and values that no chart should get make no markup and no panic.
func TestHostileChart(t *testing.T) {
	c := Chart{ID: "figure-1", Title: sample.Hostile[0], Caption: sample.Hostile[1], X: Axis{Label: sample.Hostile[2]}, Y: Axis{Label: sample.Hostile[5], Scale: Log},
		Series: []Series{{sample.Hostile[0], Steps, []XY{{0, math.NaN()}, {math.Inf(1), 1}, {1, -1}, {2, 0}, {3, 5}}}, {"empty", Dots, nil}}, Marks: []Mark{{XY{3, 5}, sample.Hostile[1]}}}
	svg, err := Draw(c)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(svg, []byte("<script")) || bytes.Contains(svg, []byte("<img")) {
		t.Errorf("%s", svg)
	}
	for _, empty := range []Chart{{ID: "a"}, {ID: "b", X: Axis{Scale: Percentile}, Y: Axis{Scale: Log}}, {ID: "c", Series: []Series{{"one", Line, []XY{{1, 1}}}}}} {
		if _, err := Draw(empty); err != nil {
			t.Errorf("%s: %v", empty.ID, err)
		}
	}
	if _, err := Draw(Chart{ID: "d", Series: make([]Series, MaxSeries+1)}); err == nil {
		t.Error("five series were drawn; four can be told apart")
	}
}

// TestForeignReport: a report of a program that writes less, or nonsense, is drawn as far as it goes.
func TestForeignReport(t *testing.T) {
	whole := sample.Load("Free")
	for name, change := range map[string]func(*judge.PlanReport){
		"nothing":        func(p *judge.PlanReport) { *p = judge.PlanReport{} },
		"no series":      func(p *judge.PlanReport) { p.Series = nil },
		"ragged columns": func(p *judge.PlanReport) { p.Series[0].MS = p.Series[0].MS[:3]; p.Series[1].Status = nil },
		"no headers": func(p *judge.PlanReport) {
			for i := range p.Series[0].S {
				p.Series[0].Remaining[i], p.Series[0].ResetInS[i] = -1, -1
			}
		},
		"nothing accepted": func(p *judge.PlanReport) {
			for i := range p.Series[0].S {
				p.Series[0].Status[i] = 0
			}
		},
		"no limit": func(p *judge.PlanReport) { p.PerMinute = 0 },
		"one answer": func(p *judge.PlanReport) {
			s := &p.Series[0]
			s.N, s.S, s.Status, s.MS, s.LagMS, s.Remaining, s.ResetInS, s.Cumulative, s.InWindow = s.N[:1], s.S[:1], s.Status[:1], s.MS[:1], s.LagMS[:1], s.Remaining[:1], s.ResetInS[:1], s.Cumulative[:1], s.InWindow[:1]
			p.Series = p.Series[:1]
		},
	} {
		r := sample.Load("Free")
		change(&r.Plans[0])
		for _, plan := range Of(r, &whole) {
			for _, c := range plan.Charts {
				if _, err := Draw(c); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// TestThin keeps the extremes, in order.
func TestThin(t *testing.T) {
	var points []XY
	for i := range 10_000 {
		points = append(points, XY{float64(i), math.Sin(float64(i) / 50)})
	}
	points[4321].Y, points[777].Y = 9, -9
	out := thin(points, 200)
	if len(out) > 200 || !slices.Contains(out, points[4321]) || !slices.Contains(out, points[777]) || !slices.IsSortedFunc(out, func(a, b XY) int { return int(a.X - b.X) }) {
		t.Errorf("%d points; at most 200 are wanted, in order, with the highest and the lowest", len(out))
	}
	if got := thin(points[:100], 200); len(got) != 100 {
		t.Errorf("100 points became %d", len(got))
	}
}

// TestSample keeps the extremes and, between them, as many points here as there in proportion.
func TestSample(t *testing.T) {
	var points []XY
	for i := range 3000 {
		points = append(points, XY{float64(i), math.Mod(float64(i)*0.618, 1)})
	}
	points[100].Y, points[2500].Y = 9, -9
	out := Sample(points, 100)
	middle, head := 0, 0
	for _, p := range out {
		if p.Y > 0.1 && p.Y < 0.9 {
			middle++
		}
		if p.X < 1500 {
			head++
		}
	}
	if len(out) > 100 || !slices.Contains(out, points[100]) || !slices.Contains(out, points[2500]) || !slices.IsSortedFunc(out, func(a, b XY) int { return int(a.X - b.X) }) {
		t.Errorf("%d points; at most 100 are wanted, in order, with the highest and the lowest", len(out))
	}
	if middle < 50 || head < 40 || head > 60 {
		t.Errorf("of %d points %d are neither high nor low and %d in the first half; most and about half are wanted", len(out), middle, head)
	}
}

// TestStraighten keeps every bend that can be seen, and none that can't.
func TestStraighten(t *testing.T) {
	var path []vg.Point
	for i := range 1000 { // stairs of a tenth of a unit, then one peak
		path = append(path, vg.Point{X: vg.Length(i) / 10, Y: vg.Length(i / 2 * 2)})
	}
	path = append(path, vg.Point{X: 150, Y: 300}, vg.Point{X: 200, Y: 0})
	out := straighten(path)
	if !slices.Contains(out, vg.Point{X: 150, Y: 300}) || out[0] != path[0] || out[len(out)-1] != path[len(path)-1] || len(out) > 10 {
		t.Errorf("%d points; a few are wanted, the ends and the peak among them: %v", len(out), out)
	}
	for _, p := range path {
		near := vg.Length(math.Inf(1))
		for i := range out[1:] {
			near = min(near, away(p, out[i], out[i+1]))
		}
		if near > slack {
			t.Fatalf("%v lies %.2f from the line; at most %v is wanted", p, near, slack)
		}
	}
	stairs := []vg.Point{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 4}, {X: 8, Y: 4}, {X: 8, Y: 8}}
	if got := straighten(stairs); !slices.Equal(got, stairs) {
		t.Errorf("steps of 4 units became %v", got)
	}
}

// TestPanels: one small chart for each key, all with the same numbers on their axes.
func TestPanels(t *testing.T) {
	r := sample.Load("Free")
	few := r.Plans[0].Series[1]
	for i := range few.InWindow {
		few.InWindow[i] /= 10
	}
	charts := Of(r, nil)[0].Charts
	i := slices.IndexFunc(charts, func(c Chart) bool { return c.ID == "figure-9" })
	svg, err := Draw(charts[i])
	if err != nil {
		t.Fatal(err)
	}
	for word, times := range map[string]int{">Free-1<": 1, ">Free-2<": 1, ">80<": 2, ">300<": 2, ">plan 60<": 1} {
		if n := bytes.Count(svg, []byte(word)); n != times {
			t.Errorf("%s stands %d times in figure 9; %d are wanted", word, n, times)
		}
	}
	for n, want := range map[int][2]int{1: {1, 1}, 4: {1, 4}, 5: {2, 4}, 8: {2, 4}} {
		if rows, columns := layout(n); rows != want[0] || columns != want[1] {
			t.Errorf("%d panels in %d rows of %d; %v are wanted", n, rows, columns, want)
		}
	}
	eight := charts[i]
	eight.Panels = slices.Repeat(eight.Panels[:1], 7)
	if _, err := Draw(eight); err != nil {
		t.Errorf("seven panels: %v", err)
	}
}

// TestRewriteRefuses what it does not know of a drawing, which a new version of the plotter may bring.
func TestRewriteRefuses(t *testing.T) {
	for _, svg := range []string{
		`<svg><circle r="5"/></svg>`,
		`<svg><g transform="skewX(3)"></g></svg>`,
		`<svg><path d="M1,2C3,4,5,6,7,8"/></svg>`,
		`<svg><text x="one" y="2">a</text></svg>`,
		`<svg>`,
	} {
		if out, err := rewrite([]byte(svg), Chart{ID: "figure-1"}, height); err == nil {
			t.Errorf("%s became %s", svg, out)
		}
	}
}

// TestStaircases: what each kind of limiter lets through of 120 requests that are spread over two minutes after a burst of 61.
func TestStaircases(t *testing.T) {
	for name, want := range map[string][3]int{"fixed window": {60, 60, 60}, "sliding window": {60, 0, 60}, "token bucket": {60, 29, 60}} {
		for _, s := range staircases(60, 60) {
			if s.name != name {
				continue
			}
			got := [3]int{}
			for i := range 61 {
				if s.accept(float64(i) * 0.001) {
					got[0]++
				}
			}
			if name == "fixed window" {
				for i := range 61 {
					if s.accept(60.1 + float64(i)*0.001) {
						got[1]++
					}
				}
			} else {
				for i := range 61 {
					if s.accept(29.9 + float64(i)*0.001) {
						got[1]++
					}
				}
			}
			for i := range 61 {
				if s.accept(200 + float64(i)*0.001) {
					got[2]++
				}
			}
			if got != want {
				t.Errorf("%s let %v through; %v are wanted", name, got, want)
			}
		}
	}
}
