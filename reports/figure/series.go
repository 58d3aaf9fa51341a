package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var dashes = [MaxSeries][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}

const lineWidth = 1.6

func stroke(i int) draw.LineStyle {
	return draw.LineStyle{Color: seriesColours[i], Width: lineWidth, Dashes: dashes[i]}
}

func glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: seriesColours[i], Radius: 2.2, Shape: glyphs[i]}
}

// addSeries adds the series that have data. The place of a series decides its dash or glyph.
func addSeries(p *plot.Plot, c Chart) {
	for i, s := range c.Series {
		points := usable(s, c)
		switch {
		case len(points) == 0:
		case s.Kind == Dots:
			p.Add(cloud{points, glyph(i)})
		default:
			p.Add(line{points, s.Kind == Steps, stroke(i)})
		}
	}
}

// usable drops the points that the scale cannot show, and thins the others to what can be seen.
func usable(s Series, c Chart) plotter.XYs {
	kept := make([]XY, 0, len(s.Points))
	for _, p := range s.Points {
		bad := func(v float64, s Scale) bool { return math.IsNaN(v) || math.IsInf(v, 0) || s != Linear && v <= 0 }
		if !bad(p.X, c.X.Scale) && !bad(p.Y, c.Y.Scale) {
			kept = append(kept, p)
		}
	}
	if s.Kind == Dots {
		kept = Sample(kept, mostDots)
	} else {
		kept = thin(kept, mostPoints)
	}
	out := make(plotter.XYs, len(kept))
	for i, p := range kept {
		out[i] = plotter.XY{X: p.X, Y: p.Y}
	}
	return out
}

// line draws a series as a line or as steps, without bends that are too small to see.
type line struct {
	plotter.XYs
	steps bool
	style draw.LineStyle
}

// DataRange is what it takes up of the axes.
func (l line) DataRange() (float64, float64, float64, float64) { return plotter.XYRange(l.XYs) }

// Plot draws it.
func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	var path []vg.Point
	for i, xy := range l.XYs {
		to := vg.Point{X: tx(xy.X), Y: ty(xy.Y)}
		if l.steps && i > 0 {
			path = append(path, vg.Point{X: to.X, Y: path[len(path)-1].Y})
		}
		path = append(path, to)
	}
	c.StrokeLines(l.style, c.ClipLinesXY(straighten(path))...)
}

// cloud draws a series as glyphs. Where one would cover another, one is enough.
type cloud struct {
	plotter.XYs
	style draw.GlyphStyle
}

// DataRange is what it takes up of the axes.
func (d cloud) DataRange() (float64, float64, float64, float64) { return plotter.XYRange(d.XYs) }

// Plot draws it.
func (d cloud) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	taken := map[[2]int]bool{}
	for _, xy := range d.XYs {
		at := vg.Point{X: tx(xy.X), Y: ty(xy.Y)}
		place := [2]int{int(at.X / d.style.Radius), int(at.Y / d.style.Radius)}
		if !taken[place] {
			taken[place] = true
			c.DrawGlyph(d.style, at)
		}
	}
}

// shape is a glyph of strokes from the point outwards, in units of its radius: few characters of text, of which there are
// hundreds. No stroke at all makes a dot, a line of no length with a round end.
type shape [][4]vg.Length

var glyphs = [MaxSeries]shape{
	nil,
	{{-1, 0, 1, 0}, {0, -1, 0, 1}},
	{{-1, -1, 1, 1}, {-1, 1, 1, -1}},
	{{-1, -1, 1, -1}, {1, -1, 0, 1}, {0, 1, -1, -1}},
}

// DrawGlyph draws it.
func (s shape) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	line := draw.LineStyle{Color: style.Color, Width: 1.1}
	strokes := s
	if len(s) == 0 {
		line.Width, strokes = 2*style.Radius, shape{{}}
	}
	c.SetLineStyle(line)
	for _, l := range strokes {
		var p vg.Path
		p.Move(vg.Point{X: at.X + l[0]*style.Radius, Y: at.Y + l[1]*style.Radius})
		p.Line(vg.Point{X: at.X + l[2]*style.Radius, Y: at.Y + l[3]*style.Radius})
		c.Stroke(p)
	}
}

// slack is less than half the width of a line, so a smaller bend cannot be seen.
const slack = 0.6

// straighten leaves out the points of a path whose absence moves the line by no more than slack (the method of Ramer,
// Douglas and Peucker). Every step and every peak that can be seen stays.
func straighten(path []vg.Point) []vg.Point {
	if len(path) < 3 {
		return path
	}
	first, last := path[0], path[len(path)-1]
	far, at := vg.Length(0), 0
	for i := 1; i < len(path)-1; i++ {
		if d := away(path[i], first, last); d > far {
			far, at = d, i
		}
	}
	if far <= slack {
		return []vg.Point{first, last}
	}
	head := straighten(path[:at+1])
	return append(head[:len(head)-1:len(head)-1], straighten(path[at:])...)
}

// away is how far p lies from the stretch between a and b.
func away(p, a, b vg.Point) vg.Length {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	along := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		along = math.Max(0, math.Min(1, (float64(p.X-a.X)*dx+float64(p.Y-a.Y)*dy)/length))
	}
	return vg.Length(math.Hypot(float64(p.X-a.X)-along*dx, float64(p.Y-a.Y)-along*dy))
}
