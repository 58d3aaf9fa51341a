package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"petconform/reports/safe"
	"petconform/spec"
)

// Sizes in units of the view box; a page scales the drawing down on a small screen. The data lie between left and right,
// top and bottom; what is around them has room for a number like 100,000 and for the names of the axes.
const (
	width, height = 720, 340
	left, right   = 64, width - 24
	top, bottom   = 24, height - 40
	// columnWidth is the width of the columns of which steps show the lowest, the highest and the last point, and
	// hoverWidth that of those in which points show their value. They bound the size of a drawing, whatever the number
	// of points.
	columnWidth = 5
	hoverWidth  = 104
)

// drawing is what the template writes: places in units of the view box, and text.
type drawing struct {
	ID, Title     string
	Width, Height int
	Strokes       []stroke
	// Words are the texts by their anchor: start, middle or end.
	Words  map[string][]word
	Points []word
	x, y   span
}

// stroke is a piece of the drawing. The legend shows those that have a name.
type stroke struct {
	look
	Name, Path string
}

// word is a text, or a point that shows it on hover.
type word struct {
	X, Y int
	Text string
}

// look is a class of the page's style, with the colour for readers without the style, and the dashes that tell lines
// apart without colours. Sample is the path that the legend shows of it.
type look struct {
	Class, Colour  string
	Width          float64
	Dashes, Sample string
}

// The colours of lines have a contrast of 4.5 to 1 and more on white.
var (
	grid  = look{"grid", "#ccd4de", 0.5, "", ""}
	looks = map[Mark]look{Across: {"rule", "#475264", 1.4, "6 3", "h24"}, Down: {"rule", "#475264", 0.8, "2 3", "m12 5v-14"},
		Ticks: {"s2", "#a3341b", 1.6, "", "m12 5v-9"}, Peak: {"ink", "#1b2430", 1.1, "", ""}}
	lines = []look{{"s1", "#0a4a9e", 1.6, "", "h24"}, {"s2", "#a3341b", 1.6, "7 4", "h24"},
		{"s3", "#0a5c35", 1.6, "2 4", "h24"}, {"s4", "#6b2d91", 1.6, "9 4 2 4", "h24"}}
)

// look is that of a layer: each line in steps has its own.
func (c Chart) look(l Layer) look {
	if l.As != Steps {
		return looks[l.As]
	}
	return lines[slices.IndexFunc(c.steps(), func(other Layer) bool { return other.Name == l.Name })]
}

// Legend has the strokes that a chart shows with a name, each to be shown beside a piece of its line.
func (c Chart) Legend() []stroke {
	return slices.DeleteFunc(layout(c).Strokes, func(s stroke) bool { return s.Name == "" })
}

func layout(c Chart) drawing {
	d := drawing{ID: c.ID, Title: safe.Line(c.Title), Width: width, Height: height, Words: map[string][]word{}}
	d.x, d.y = c.spans()
	d.word(0, 13, "start", c.Y)
	d.axes()
	for _, l := range c.Layers {
		if len(l.Points) > 0 {
			d.draw(l, c.look(l))
		}
	}
	return d
}

func (d *drawing) word(x, y int, anchor, text string) {
	d.Words[anchor] = append(d.Words[anchor], word{x, y, text})
}

func (d *drawing) axes() {
	var rules string
	for _, t := range d.x.ticks(12) {
		rules += fmt.Sprintf("M%d %dV%d", d.x.at(t), bottom, top)
		d.word(d.x.at(t), bottom+16, "middle", Num(t))
	}
	for _, t := range d.y.ticks(9) {
		rules += d.across(t)
		d.word(left-6, d.y.at(t)+4, "end", Num(t))
	}
	d.word(left-4, bottom+34, "start", "seconds since the run began")
	d.Strokes = append(d.Strokes, stroke{look: grid, Path: rules})
}

func (d *drawing) across(value float64) string {
	return fmt.Sprintf("M%d %dH%d", left, d.y.at(value), right)
}

func (d *drawing) draw(l Layer, look look) {
	var path string
	shown := thin(l.Points, d.x, columnWidth)
	switch first := l.Points[0]; l.As {
	case Steps:
		path = fmt.Sprintf("M%d %d", d.x.at(shown[0].X), d.y.at(shown[0].Y))
		for i, p := range shown[1:] {
			if d.y.at(p.Y) != d.y.at(shown[i].Y) {
				path += fmt.Sprintf("H%dV%d", d.x.at(p.X), d.y.at(p.Y))
			}
		}
		path += fmt.Sprintf("H%d", d.x.at(l.Points[len(l.Points)-1].X))
		for _, p := range thin(l.Points, d.x, hoverWidth) {
			text := safe.Line(fmt.Sprintf("%s: %s, second %s", l.Name, Num(p.Y), Num(p.X)))
			d.Points = append(d.Points, word{d.x.at(p.X), d.y.at(p.Y), text})
		}
	case Across:
		path = d.across(first.Y)
	case Peak:
		x, y := d.x.at(first.X), d.y.at(first.Y)
		path = fmt.Sprintf("M%d %dl6-6 6 6-6 6z", x-6, y)
		d.word(max(x, left+30), y-10, "middle", Num(first.Y)) // beside the numbers of the axis
	case Ticks, Down:
		last, length := -1, map[Mark]int{Ticks: 9, Down: bottom - top}[l.As]
		for _, p := range l.Points {
			if at := d.x.at(p.X); at != last {
				path, last = path+fmt.Sprintf("M%d %dv-%d", at, bottom, length), at
			}
		}
	}
	d.Strokes = append(d.Strokes, stroke{look, l.Name, path})
}

// thin returns the lowest, the highest and the last point of each column of that width: no peak is lost, and the value
// at which a line leaves a column stays.
func thin(points []XY, x span, column int) (out []XY) {
	byHeight := func(a, b XY) int { return cmp.Compare(a.Y, b.Y) }
	for len(points) > 0 {
		n := slices.IndexFunc(points, func(p XY) bool { return x.at(p.X)/column != x.at(points[0].X)/column })
		if n < 0 {
			n = len(points)
		}
		kept := []XY{slices.MinFunc(points[:n], byHeight), slices.MaxFunc(points[:n], byHeight), points[n-1]}
		slices.SortStableFunc(kept, func(a, b XY) int { return cmp.Compare(a.X, b.X) })
		out, points = append(out, slices.Compact(kept)...), points[n:]
	}
	return out
}

// span is an axis: it shows 0 to high, and its ends lie at from and to, in units of the drawing.
type span struct{ high, from, to float64 }

// spans returns the axes, which show 0 and all values, so that lengths can be compared, with room beyond the largest.
func (c Chart) spans() (x, y span) {
	x, y = span{1, left, right}, span{1, bottom, top}
	for _, l := range c.Layers {
		for _, p := range l.Points {
			x.high, y.high = max(x.high, p.X), max(y.high, p.Y)
		}
	}
	x.high, y.high = x.high*1.02, y.high*1.12 // the words above a peak take more
	return x, y
}

func (s span) at(v float64) int { return int(math.Round(s.from + v/s.high*(s.to-s.from))) }

// ticks returns fewer than about most round values: multiples of 1, 2 or 5 times a power of ten.
func (s span) ticks(most float64) (out []float64) {
	step := math.Pow(10, math.Floor(math.Log10(s.high/most)))
	for _, f := range []float64{2, 2.5, 2} { // 2, 5 and 10 times the power of ten
		if s.high/step >= most {
			step *= f
		}
	}
	for i := 0.0; i*step <= s.high; i++ {
		out = append(out, i*step)
	}
	return out
}

// Num writes a number: whole from 1,000 on, else with three significant digits.
func Num(v float64) string {
	if v >= 999.5 && v < 1e15 {
		return spec.Number(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
