package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"petconform/reports/plain"
)

// Sizes in units of the view box; a page scales the drawing down on a small screen.
const (
	width  = 720
	height = 340
	// letter is the width of most letters, and rowHeight the height of a row of text.
	letter    = 6.8
	rowHeight = 20
	swatch    = 24
	// legendWidth is what a phone shows of a drawing without scrolling.
	legendWidth = 460
	// columnWidth is the width of the columns of which a line shows the lowest, the highest and the last point, dotsWidth that of a
	// cloud's, and hoverWidth that of those in which points show their value. They bound the size of a drawing, whatever the number
	// of points.
	columnWidth = 4
	dotsWidth   = 6
	hoverWidth  = 104
	// fewPoints are so few that all are shown.
	fewPoints = 40
)

// layout places everything in a chart.
func layout(c Chart) drawing {
	d := drawing{ID: c.ID, Title: plain.Line(c.Title), Width: width, Height: height, Ink: ink, Band: band, Words: map[string][]word{}}
	top := d.legend(c) + 8
	kept, xs, ys := usable(c)
	room := 0.04
	if c.Peak != nil { // for the words above it
		room = 0.12
	}
	x, y := fit(c.X.Scale, xs, 0.02), fit(c.Y.Scale, ys, room)
	widest := 0
	for _, t := range y.ticks(9) {
		widest = max(widest, len(t.label))
	}
	x.from, x.to = float64(widest)*letter+10, width-24
	y.from, y.to = height-2*rowHeight, float64(top)
	d.axes(c, x, y)
	for i, s := range c.Series {
		d.series(i, s.Kind, c, place(kept[i], x, y))
	}
	if p := c.Peak; p != nil && x.shows(p.X) && y.shows(p.Y) {
		px, py := round(x.at(p.X)), round(y.at(p.Y))
		d.line(peakMark, "M%d %dl6-6 6 6-6 6z", px-6, py)
		anchor, half := "middle", float64(len(num(p.Y)))*letter/2
		if float64(px)-half < x.from {
			anchor = "start"
		}
		d.word(px, py-10, anchor, num(p.Y))
	}
	return d
}

// legend names what is drawn, above the data, each after a piece of its line or its glyph, in as many rows as the names take. It
// returns where the rows end.
func (d *drawing) legend(c Chart) int {
	d.word(0, 13, "start", c.Y.Label)
	x, y := 0, rowHeight+8
	entry := func(l look, path, name string) {
		name = plain.Clip(plain.Line(name), mostLetters)
		wide := swatch + 6 + int(float64(uniseg.StringWidth(name))*letter) + 16
		if x > 0 && x+wide > legendWidth {
			x, y = 0, y+rowHeight
		}
		d.line(l, "M%d %d%s", x, y, path)
		d.word(x+swatch+6, y+4, "start", name)
		x += wide
	}
	for i, s := range c.Series {
		switch l, path := glyph(i); {
		case len(s.Points) == 0:
		case s.Kind == Dots:
			entry(l, fmt.Sprintf("m%d 0%s", swatch/2, path), s.Name)
		default:
			entry(lines[i], fmt.Sprintf("h%d", swatch), s.Name)
		}
	}
	if c.Limit > 0 {
		entry(limitLine, fmt.Sprintf("h%d", swatch), "plan "+num(c.Limit))
	}
	if len(c.Resets) > 0 {
		entry(resetLine, fmt.Sprintf("m%d-7v14", swatch/2), "advertised reset")
	}
	return y + rowHeight/2
}

func glyph(i int) (look, string) {
	l := lines[i]
	l.Dashes, l.Width = "", glyphWidth
	if i == 0 {
		l.Width = dotWidth
	}
	return l, glyphs[i]
}

// usable returns the points of each series that the scales can show, in the order of x, and all values of the two axes.
func usable(c Chart) (kept [][]XY, xs, ys []float64) {
	for _, s := range c.Series {
		var points []XY
		for _, p := range s.Points {
			if c.X.Scale.shows(p.X) && c.Y.Scale.shows(p.Y) {
				points, xs, ys = append(points, p), append(xs, p.X), append(ys, p.Y)
			}
		}
		slices.SortStableFunc(points, func(a, b XY) int { return cmp.Compare(a.X, b.X) })
		kept = append(kept, points)
	}
	if c.Limit > 0 && c.Y.Scale.shows(c.Limit) {
		ys = append(ys, c.Limit)
	}
	return kept, xs, ys
}

// axes draws what lies below the data: bands, the grid with its numbers, resets and the limit.
func (d *drawing) axes(c Chart, x, y span) {
	left, right, bottom, top := round(x.from), round(x.to), round(y.from), round(y.to)
	for _, s := range c.Refused {
		if from, to := math.Max(s.From, x.low), math.Min(s.To, x.high); from <= to {
			at := round(x.at(from))
			d.Bands = append(d.Bands, box{at, top, max(1, round(x.at(to))-at), bottom - top})
		}
	}
	var path strings.Builder
	for _, t := range x.ticks(12) {
		at := round(x.at(t.value))
		fmt.Fprintf(&path, "M%d %dV%d", at, bottom, top)
		d.word(at, bottom+16, "middle", t.label)
	}
	for _, t := range y.ticks(9) {
		at := round(y.at(t.value))
		fmt.Fprintf(&path, "M%d %dH%d", left, at, right)
		d.word(left-6, at+4, "end", t.label)
	}
	d.line(grid, "%s", path.String())
	d.word(left-4, bottom+34, "start", c.X.Label)
	path.Reset()
	for _, r := range c.Resets {
		if r >= x.low && r <= x.high {
			fmt.Fprintf(&path, "M%d %dV%d", round(x.at(r)), bottom, top)
		}
	}
	d.line(resetLine, "%s", path.String())
	if c.Limit > 0 && c.Limit <= y.high {
		d.line(limitLine, "M%d %dH%d", left, round(y.at(c.Limit)), right)
	}
}

// placed is a point with its place.
type placed struct {
	XY
	x, y int
}

func place(points []XY, x, y span) []placed {
	out := make([]placed, len(points))
	for i, p := range points {
		out[i] = placed{p, round(x.at(p.X)), round(y.at(p.Y))}
	}
	return out
}

func round(v float64) int { return int(math.Round(v)) }

// series draws the i-th series, and the points that show their value.
func (d *drawing) series(i int, kind Kind, c Chart, points []placed) {
	if len(points) == 0 {
		return
	}
	var path strings.Builder
	column, hover := dotsWidth, hoverWidth
	l, mark := glyph(i)
	if kind != Dots {
		column, l = columnWidth, lines[i]
		fmt.Fprintf(&path, "M%d %d", points[0].x, points[0].y)
	}
	if len(points) <= fewPoints {
		column, hover = 1, 1
	}
	y := points[0].y
	for _, p := range thin(points, column) {
		switch {
		case kind == Dots:
			fmt.Fprintf(&path, "M%d %d%s", p.x, p.y, mark)
		case kind == Line:
			fmt.Fprintf(&path, "L%d %d", p.x, p.y)
		case p.y != y:
			fmt.Fprintf(&path, "H%dV%d", p.x, p.y)
		}
		y = p.y
	}
	if kind == Steps {
		fmt.Fprintf(&path, "H%d", points[len(points)-1].x)
	}
	d.line(l, "%s", path.String())
	for _, p := range thin(points, hover) {
		value := fmt.Sprintf("%s: %s, %s", c.Series[i].Name, fmt.Sprintf(c.Y.Value, num(p.Y)), fmt.Sprintf(c.X.Value, c.X.Scale.words(p.X)))
		d.Points = append(d.Points, spot{p.x, p.y, plain.Line(value)})
	}
}

// thin returns the lowest, the highest and the last point of each column of that width: no peak is lost, and the value at which a
// line leaves a column stays.
func thin(points []placed, column int) []placed {
	var out []placed
	for from := 0; from < len(points); {
		to := from
		low, high := from, from
		for ; to < len(points) && points[to].x/column == points[from].x/column; to++ {
			if points[to].y < points[low].y {
				low = to
			}
			if points[to].y > points[high].y {
				high = to
			}
		}
		kept := len(out)
		for _, i := range slices.Sorted(slices.Values([]int{low, high, to - 1})) {
			if len(out) == kept || out[len(out)-1].y != points[i].y {
				out = append(out, points[i])
			}
		}
		from = to
	}
	return out
}
