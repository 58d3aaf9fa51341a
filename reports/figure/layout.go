package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rivo/uniseg"

	"petconform/reports/safe"
)

// Sizes in units of the view box; a page scales the drawing down on a small screen.
const (
	width  = 720
	height = 340
	// letter is the width of most letters, and rowHeight the height of a row of text.
	letter    = 6.8
	rowHeight = 20
	// swatch is the piece of a line in the legend, and legendWidth what a phone shows of a drawing without scrolling.
	swatch      = 24
	legendWidth = 460
	// columnWidth is the width of the columns of which a series shows the lowest, the highest and the last point, and
	// hoverWidth that of those in which points show their value. They bound the size of a drawing, whatever the number
	// of points.
	columnWidth = 5
	hoverWidth  = 104
	// tickHeight is the height of the mark at the first and the last 429 of a stretch.
	tickHeight = 9
	// fewPoints are so few that all are shown.
	fewPoints = 40
	// mostLetters is how much of a label is shown: the name of a key may have any length, and any character.
	mostLetters = 60
)

// drawing is what the template writes: places in units of the view box, and text.
type drawing struct {
	ID, Title     string
	Width, Height int
	Bands         []box
	Strokes       []stroke
	// Words are the texts by their anchor: start, middle or end.
	Words  map[string][]word
	Points []word
}

type box struct{ X, Y, Width, Height int }

type stroke struct {
	look
	Path string
}

// word is a text, or a point that shows it on hover.
type word struct {
	X, Y int
	Text string
}

// look is a class of the page's style, with the colour for readers without the style, and the dashes that tell series
// apart without colours.
type look struct {
	Class, Colour string
	Width         float64
	Dashes        string
}

// The colours of lines have a contrast of 4.5 to 1 and more on white.
var (
	grid      = look{"grid", "#ccd4de", 0.5, ""}
	resetLine = look{"rule", "#475264", 0.8, "2 4"}
	tickMark  = look{"s2", "#a3341b", 1.6, ""}
	limitLine = look{"rule", "#475264", 1.4, "6 3"}
	peakMark  = look{"ink", "#1b2430", 1.1, ""}
	lines     = [MaxSeries]look{{"s1", "#0a4a9e", 1.6, ""}, {"s2", "#a3341b", 1.6, "7 4"},
		{"s3", "#0a5c35", 1.6, "2 4"}, {"s4", "#6b2d91", 1.6, "9 4 2 4"}}
)

func (d *drawing) line(l look, path string) {
	if path != "" {
		d.Strokes = append(d.Strokes, stroke{l, path})
	}
}

func (d *drawing) word(x, y int, anchor, text string) {
	d.Words[anchor] = append(d.Words[anchor], word{x, y, safe.Clip(safe.Line(text), mostLetters)})
}

// layout places everything in a chart.
func layout(c Chart) drawing {
	d := drawing{ID: c.ID, Title: safe.Line(c.Title), Width: width, Height: height, Words: map[string][]word{}}
	top := d.legend(c)
	kept, xs, ys := usable(c)
	room := 0.04
	if c.Peak != nil { // for the words above it
		room = 0.12
	}
	x, y := fit(xs, 0.02), fit(ys, room)
	widest := 0
	for _, t := range y.ticks(9) {
		widest = max(widest, len(t.label))
	}
	x.from, x.to = float64(widest)*letter+10, width-24
	y.from, y.to = height-2*rowHeight, float64(top)
	d.axes(c, x, y)
	for i, s := range c.Series {
		s.Points = kept[i]
		d.series(c, i, s, x, y)
	}
	if p := c.Peak; p != nil && shows(p.X) && shows(p.Y) {
		px, py := x.at(p.X), y.at(p.Y)
		d.line(peakMark, fmt.Sprintf("M%d %dl6-6 6 6-6 6z", px-6, py))
		text, anchor := num(p.Y), "middle"
		if float64(px)-float64(len(text))*letter/2 < x.from {
			anchor = "start"
		}
		d.word(px, py-10, anchor, text)
	}
	return d
}

// legend names what is drawn, above the data, each after a piece of its line or its band, in as many rows as the names
// take. It returns where the data may begin.
func (d *drawing) legend(c Chart) int {
	d.word(0, 13, "start", c.Y.Label)
	x, y := 0, rowHeight+8
	entry := func(name string, shown bool, mark func()) {
		if !shown {
			return
		}
		wide := swatch + 22 + int(float64(uniseg.StringWidth(safe.Clip(safe.Line(name), mostLetters)))*letter)
		if x > 0 && x+wide > legendWidth {
			x, y = 0, y+rowHeight
		}
		mark()
		d.word(x+swatch+6, y+4, "start", name)
		x += wide
	}
	across := func(l look) func() {
		return func() { d.line(l, fmt.Sprintf("M%d %dh%d", x, y, swatch)) }
	}
	for i, s := range c.Series {
		entry(s.Name, len(s.Points) > 0, across(lines[i]))
	}
	entry("plan "+num(c.Limit), c.Limit > 0, across(limitLine))
	entry("advertised reset", len(c.Resets) > 0, func() { d.line(resetLine, fmt.Sprintf("M%d %dv14", x+swatch/2, y-7)) })
	entry("429", len(c.Refused) > 0, func() {
		d.Bands = append(d.Bands, box{x, y - 7, swatch, 14})
		d.line(tickMark, fmt.Sprintf("M%d %dv%d", x+swatch/2, y+7, -tickHeight))
	})
	return y + rowHeight/2 + 8
}

// usable returns the points of each series that can be shown, in the order of x, and all values of the two axes.
func usable(c Chart) (kept [][]XY, xs, ys []float64) {
	for _, s := range c.Series {
		var points []XY
		for _, p := range s.Points {
			if shows(p.X) && shows(p.Y) {
				points, xs, ys = append(points, p), append(xs, p.X), append(ys, p.Y)
			}
		}
		slices.SortStableFunc(points, func(a, b XY) int { return cmp.Compare(a.X, b.X) })
		kept = append(kept, points)
	}
	if c.Limit > 0 && shows(c.Limit) {
		ys = append(ys, c.Limit)
	}
	return kept, xs, ys
}

// axes draws what lies below the data: bands, the grid with its numbers, resets and the limit.
func (d *drawing) axes(c Chart, x, y span) {
	left, right, bottom, top := x.at(x.low), x.at(x.high), y.at(y.low), y.at(y.high)
	var ticks string
	for _, s := range c.Refused {
		if from, to := math.Max(s.From, x.low), math.Min(s.To, x.high); from <= to {
			at := x.at(from)
			d.Bands = append(d.Bands, box{at, top, max(1, x.at(to)-at), bottom - top})
			ticks += fmt.Sprintf("M%d %dv%[3]dM%[4]d %[2]dv%[3]d", at, bottom, -tickHeight, x.at(to))
		}
	}
	upright := func(value float64) string { return fmt.Sprintf("M%d %dV%d", x.at(value), bottom, top) }
	level := func(from int, value float64, to int) string { return fmt.Sprintf("M%d %dH%d", from, y.at(value), to) }
	var rules, resets, limit string
	for _, t := range x.ticks(12) {
		rules += upright(t.value)
		d.word(x.at(t.value), bottom+16, "middle", t.label)
	}
	for _, t := range y.ticks(9) {
		rules += level(left, t.value, right)
		d.word(left-6, y.at(t.value)+4, "end", t.label)
	}
	d.word(left-4, bottom+34, "start", c.X.Label)
	for _, r := range c.Resets {
		if r >= x.low && r <= x.high {
			resets += upright(r)
		}
	}
	if c.Limit > 0 && c.Limit <= y.high {
		limit = level(left, c.Limit, right)
	}
	d.line(grid, rules)
	d.line(resetLine, resets)
	d.line(tickMark, ticks)
	d.line(limitLine, limit)
}

// placed is a point with its place.
type placed struct {
	XY
	x, y int
}

// series draws the i-th series, and the points that show their value.
func (d *drawing) series(c Chart, i int, s Series, x, y span) {
	if len(s.Points) == 0 {
		return
	}
	points := make([]placed, len(s.Points))
	for n, p := range s.Points {
		points[n] = placed{p, x.at(p.X), y.at(p.Y)}
	}
	column, hover := columnWidth, hoverWidth
	if len(points) <= fewPoints {
		column, hover = 1, 1
	}
	path, last := fmt.Sprintf("M%d %d", points[0].x, points[0].y), points[0].y
	for _, p := range thin(points, column) {
		if p.y != last {
			path += fmt.Sprintf("H%dV%d", p.x, p.y)
		}
		last = p.y
	}
	d.line(lines[i], path+fmt.Sprintf("H%d", points[len(points)-1].x))
	for _, p := range thin(points, hover) {
		value := fmt.Sprintf("%s: "+c.Y.Value+", "+c.X.Value, s.Name, num(p.Y), num(p.X))
		d.Points = append(d.Points, word{p.x, p.y, safe.Line(value)})
	}
}

// thin returns the lowest, the highest and the last point of each column of that width: no peak is lost, and the value
// at which a line leaves a column stays.
func thin(points []placed, column int) []placed {
	var out []placed
	for from := 0; from < len(points); {
		low, high, to := from, from, from
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
