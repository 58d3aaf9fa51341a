package figure

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"petconform/load/judge"
	"petconform/reports/internal/test/sample"
)

var update = flag.Bool("update", false, "write the golden drawings again")

// TestGolden: the figures of a load run look as they did when somebody last looked at them.
func TestGolden(t *testing.T) {
	for _, c := range Of(sample.Load("Free"))[0].Charts {
		svg := drawn(t, c)
		file := filepath.Join("testdata", c.ID+".svg")
		if *update {
			if err := os.WriteFile(file, []byte(svg), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != svg {
			t.Errorf("%s differs from %s (%v); look at it, and write it again with -update", c.ID, file, err)
		}
	}
}

func drawn(t *testing.T, c Chart) string {
	t.Helper()
	svg := string(c.Drawing())
	if again := string(c.Drawing()); again != svg {
		t.Errorf("%s differs the second time", c.ID)
	}
	inspect(t, c, svg)
	return svg
}

type placedWord struct {
	word
	Anchor string
}

// inspect reads a drawing: it is XML, it has a name, a size and a description, nothing in it runs, has a style of its own
// or leads out of the page, and every number in it is one.
func inspect(t *testing.T, c Chart, svg string) (words []placedWord) {
	t.Helper()
	anchor, in := "", xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return words
		} else if err != nil {
			t.Fatalf("%s is not XML: %v\n%s", c.ID, err, svg)
		}
		e, isStart := token.(xml.StartElement)
		if !isStart {
			continue
		}
		has := map[string]string{}
		for _, a := range e.Attr {
			has[a.Name.Local] = a.Value
			if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.HasSuffix(a.Name.Local, "href") {
				t.Errorf("%s: <%s> has %s", c.ID, e.Name.Local, a.Name.Local)
			}
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "92233720368") {
				t.Errorf("%s: <%s %s=%q> is not a place", c.ID, e.Name.Local, a.Name.Local, a.Value)
			}
		}
		switch e.Name.Local {
		case "text":
			x, _ := strconv.Atoi(has["x"])
			y, _ := strconv.Atoi(has["y"])
			words = append(words, placedWord{word{x, y, chars(in)}, anchor})
		case "svg":
			if has["role"] != "img" || has["width"] != "720" || has["aria-labelledby"] != c.ID+"-t" || has["aria-describedby"] != c.ID+"-d" {
				t.Errorf("%s: want a role, a width, a name and a description: %v", c.ID, has)
			}
		case "g":
			anchor = has["text-anchor"]
		case "path", "title":
		default:
			t.Errorf("%s has a <%s>", c.ID, e.Name.Local)
		}
	}
}

// chars returns the text of an element and reads its end.
func chars(in *xml.Decoder) (text string) {
	for {
		token, err := in.Token()
		data, isText := token.(xml.CharData)
		if !isText || err != nil {
			return text
		}
		text += string(data)
	}
}

// TestNoWordIsCutOrCovered: in the figures of the sample run every word lies within the drawing and no two overlap.
func TestNoWordIsCutOrCovered(t *testing.T) {
	for _, c := range Of(sample.Load("Free"))[0].Charts {
		words := inspect(t, c, drawn(t, c))
		type rect struct{ left, top, right, bottom float64 }
		var all []rect
		for _, w := range words {
			wide := float64(len([]rune(w.Text))) * 6.2 // what most letters take at this size
			r := rect{float64(w.X), float64(w.Y) - 10, float64(w.X) + wide, float64(w.Y) + 2}
			switch w.Anchor {
			case "middle":
				r.left, r.right = r.left-wide/2, r.right-wide/2
			case "end":
				r.left, r.right = r.left-wide, r.right-wide
			}
			if r.left < 0 || r.right > width || r.top < 0 || r.bottom > height {
				t.Errorf("%s: %q lies at %v, partly outside", c.ID, w.Text, r)
			}
			for i, o := range all {
				if r.left < o.right && o.left < r.right && r.top < o.bottom && o.top < r.bottom {
					t.Errorf("%s: %q covers %q", c.ID, w.Text, words[i].Text)
				}
			}
			all = append(all, r)
		}
	}
}

// TestSize: 100,000 points of each of four series make a drawing of at most 80 KB, and 4,000 of one a drawing of at most
// 20 KB, the highest and the lowest among them.
func TestSize(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, row := range []struct{ series, points, most int }{{4, 100_000, 80_000}, {1, 4_000, 20_000}} {
		c := Chart{ID: "big"}
		for i := range row.series {
			s := Layer{Name: fmt.Sprint("series ", i)}
			for n := range row.points {
				s.Points = append(s.Points, XY{float64(n), 1 + random.Float64()})
			}
			s.Points[10].Y, s.Points[20].Y = 4321, 0.25
			c.Layers = append(c.Layers, s)
		}
		svg := drawn(t, c)
		t.Logf("%d of %d points: %d bytes", row.series, row.points, len(svg))
		if len(svg) > row.most || !strings.Contains(svg, "4,321") || !strings.Contains(svg, "0.25") {
			t.Errorf("%d bytes; want at most %d, with the highest and the lowest point", len(svg), row.most)
		}
	}
}

// TestSparseReports: a load that measured little is drawn as far as it goes.
func TestSparseReports(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*judge.PlanReport)
		charts int
	}{
		"nothing":  {func(p *judge.PlanReport) { *p = judge.PlanReport{} }, 0},
		"no steps": {func(p *judge.PlanReport) { p.Steps = nil }, 0},
		"nothing accepted": {func(p *judge.PlanReport) {
			for i := range p.Steps {
				p.Steps[i].Responses, p.Steps[i].InWindow = judge.Responses{Other: 1}, 0
			}
		}, 3},
		"no limit": {func(p *judge.PlanReport) { p.PerMinute = 0 }, 3},
		"one answer": {func(p *judge.PlanReport) {
			p.Steps = []judge.Step{{S: 1, Responses: judge.Responses{Accepted: 1}, Remaining: 5, InWindow: 1}}
		}, 3},
	} {
		r := sample.Load("Free")
		row.change(&r.Plans[0])
		charts := Of(r)[0].Charts
		if len(charts) != row.charts {
			t.Errorf("%s: %d charts; want %d", name, len(charts), row.charts)
		}
		for _, c := range charts {
			if svg := drawn(t, c); strings.Contains(svg, "<script") {
				t.Errorf("%s: %s", name, svg)
			}
			c.Table()
		}
	}
}
