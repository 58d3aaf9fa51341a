package figure

import (
	"cmp"
	"fmt"
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
	tickHeight  = 9
	// mostLetters is how much of a label is shown: the name of a key may have any length, and any character.
	mostLetters = 60
)

// drawing is what the template writes: places in units of the view box, and text.
type drawing struct {
	ID, Title     string
	Width, Height int
	Strokes       []stroke
	// Words are the texts by their anchor: start, middle or end.
	Words  map[string][]word
	Points []word
}

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
	lines     = []look{{"s1", "#0a4a9e", 1.6, ""}, {"s2", "#a3341b", 1.6, "7 4"},
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
	x, y := c.spans()
	widest := 0
	for _, t := range y.ticks(9) {
		widest = max(widest, len(t.label))
	}
	x.from, x.to = float64(widest)*letter+10, width-24
	y.from, y.to = height-2*rowHeight, float64(top)
	d.axes(c, x, y)
	for i, s := range c.Series {
		if len(s.Points) > 0 {
			d.series(lines[i], s, x, y)
		}
	}
	if p := c.Peak; p != nil {
		px, py := x.at(p.X), y.at(p.Y)
		d.line(peakMark, fmt.Sprintf("M%d %dl6-6 6 6-6 6z", px-6, py))
		d.word(max(px, int(x.from)+3*rowHeight/2), py-10, "middle", num(p.Y))
	}
	return d
}

// legend names what is drawn, above the data, each after a piece of its line, in as many rows as the names take. It
// returns where the data may begin.
func (d *drawing) legend(c Chart) int {
	d.word(0, 13, "start", c.Y)
	x, y := 0, rowHeight+8
	entry := func(name string, shown bool, l look, sample string) {
		if !shown {
			return
		}
		wide := swatch + 22 + int(float64(uniseg.StringWidth(safe.Clip(safe.Line(name), mostLetters)))*letter)
		if x > 0 && x+wide > legendWidth {
			x, y = 0, y+rowHeight
		}
		d.line(l, fmt.Sprintf("M%d %d%s", x, y, sample))
		d.word(x+swatch+6, y+4, "start", name)
		x += wide
	}
	across := fmt.Sprint("h", swatch)
	for i, s := range c.Series {
		entry(s.Name, len(s.Points) > 0, lines[i], across)
	}
	entry("plan "+num(c.Limit), c.Limit > 0, limitLine, across)
	entry("advertised reset", len(c.Resets) > 0, resetLine, "m12 -7v14")
	entry("429", len(c.Refused) > 0, tickMark, "m12 5v-9")
	return y + rowHeight/2 + 8
}

// axes draws what lies below the data: the grid with its numbers, ticks, resets and the limit.
func (d *drawing) axes(c Chart, x, y span) {
	left, right, bottom, top := x.at(x.low), x.at(x.high), y.at(y.low), y.at(y.high)
	upright := func(values []float64, to string) (path string) {
		last := -1
		for _, v := range values {
			if at := x.at(v); v >= x.low && v <= x.high && at != last {
				path += fmt.Sprintf("M%d %d%s", at, bottom, to)
				last = at
			}
		}
		return path
	}
	level := func(value float64) string { return fmt.Sprintf("M%d %dH%d", left, y.at(value), right) }
	var rules string
	whole := fmt.Sprint("V", top)
	for _, t := range x.ticks(12) {
		rules += upright([]float64{t.value}, whole)
		d.word(x.at(t.value), bottom+16, "middle", t.label)
	}
	for _, t := range y.ticks(9) {
		rules += level(t.value)
		d.word(left-6, y.at(t.value)+4, "end", t.label)
	}
	d.word(left-4, bottom+34, "start", c.X)
	d.line(grid, rules)
	d.line(resetLine, upright(c.Resets, whole))
	d.line(tickMark, upright(c.Refused, fmt.Sprint("v", -tickHeight)))
	if c.Limit > 0 {
		d.line(limitLine, level(c.Limit))
	}
}

// series draws a series, and the points that show their value.
func (d *drawing) series(l look, s Series, x, y span) {
	var path string
	last := -1
	for i, p := range thin(s.Points, x, columnWidth) {
		at := y.at(p.Y)
		if i == 0 {
			path = fmt.Sprintf("M%d %d", x.at(p.X), at)
		} else if at != last {
			path += fmt.Sprintf("H%dV%d", x.at(p.X), at)
		}
		last = at
	}
	d.line(l, path+fmt.Sprintf("H%d", x.at(s.Points[len(s.Points)-1].X)))
	for _, p := range thin(s.Points, x, hoverWidth) {
		text := safe.Line(fmt.Sprintf("%s: %s, minute %s", s.Name, num(p.Y), num(p.X)))
		d.Points = append(d.Points, word{x.at(p.X), y.at(p.Y), text})
	}
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
