package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"petconform/reports/plain"
)

// Size of a drawing, in the units of its viewBox; a page scales it down on a small screen.
const (
	width  = 720
	height = 320
	// mostPoints of a series are drawn; more make the page heavy and show nothing more.
	mostPoints = 260
)

// Draw gives the chart as an SVG element.
func Draw(c Chart) ([]byte, error) {
	if len(c.Series) > MaxSeries {
		return nil, fmt.Errorf("%s has %d series; %d can be told apart", c.ID, len(c.Series), MaxSeries)
	}
	c = shown(c)
	p := plot.New()
	setAxis(&p.X, c.X)
	setAxis(&p.Y, c.Y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColour, gridColour
	grid.Vertical.Width, grid.Horizontal.Width = 0.5, 0.5
	p.Add(grid)
	p.Add(under{c})
	if err := addSeries(p, c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	p.Add(over{c})
	fit(p, c)
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	area := draw.Crop(draw.New(canvas), 0, -vg.Points(8), 0, -legendRoom)
	p.Draw(area)
	legend(draw.New(canvas), c)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return rewrite(b.Bytes(), c)
}

// shown makes the words of a chart fit to stand in XML: the name of a key may hold anything.
func shown(c Chart) Chart {
	c.Title, c.Caption, c.X.Label, c.Y.Label = plain.Line(c.Title), plain.Line(c.Caption), plain.Line(c.X.Label), plain.Line(c.Y.Label)
	c.Series, c.Levels, c.Rules, c.Marks = slices.Clone(c.Series), slices.Clone(c.Levels), slices.Clone(c.Rules), slices.Clone(c.Marks)
	for i := range c.Series {
		c.Series[i].Name = plain.Clip(plain.Line(c.Series[i].Name), 40)
	}
	for i := range c.Levels {
		c.Levels[i].Label = plain.Line(c.Levels[i].Label)
	}
	for i := range c.Rules {
		c.Rules[i].Label = plain.Line(c.Rules[i].Label)
	}
	for i := range c.Marks {
		c.Marks[i].Label = plain.Line(c.Marks[i].Label)
	}
	return c
}

const (
	textSize = 12
	// legendRoom above the data keeps the legend off it.
	legendRoom = 26
	// narrow is how many times the smallest value the largest has to be, or a logarithmic axis is widened.
	narrow = 4
)

func setAxis(a *plot.Axis, want Axis) {
	a.Label.Text = want.Label
	a.Label.TextStyle.Font, a.Tick.Label.Font = face, face
	a.Label.TextStyle.Color, a.Tick.Label.Color = inkColour, inkColour
	a.Color, a.Tick.Color = axisColour, axisColour
	a.Tick.Marker = round{}
	switch want.Scale {
	case Log:
		a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
	case Percentile:
		a.Scale, a.Tick.Marker = plot.LogScale{}, nines{}
	}
}

// fit widens the range to what the axes ask for, and gives a range to a chart whose values are all the same.
func fit(p *plot.Plot, c Chart) {
	for _, a := range []struct {
		axis *plot.Axis
		want Axis
	}{{&p.X, c.X}, {&p.Y, c.Y}} {
		if a.want.Min != 0 || a.want.Max != 0 {
			a.axis.Min, a.axis.Max = math.Min(a.axis.Min, a.want.Min), math.Max(a.axis.Max, a.want.Max)
		}
		for _, l := range c.Levels {
			if a.axis == &p.Y {
				a.axis.Min, a.axis.Max = math.Min(a.axis.Min, l.At), math.Max(a.axis.Max, l.At)
			}
		}
		switch {
		case math.IsInf(a.axis.Min, 0) || math.IsInf(a.axis.Max, 0):
			a.axis.Min, a.axis.Max = 0, 1
		case a.axis.Min == a.axis.Max:
			a.axis.Max = a.axis.Min + 1
		}
		if a.want.Scale == Linear {
			a.axis.Max += (a.axis.Max - a.axis.Min) * 0.04
		} else {
			a.axis.Min = math.Max(a.axis.Min, 1e-6)
			if a.want.Scale == Log && a.axis.Max < a.axis.Min*narrow { // values that are nearly the same stand in the middle
				a.axis.Min, a.axis.Max = a.axis.Min/narrow, a.axis.Max*narrow
			}
			a.axis.Max = math.Max(a.axis.Max, a.axis.Min*2)
		}
	}
}

var dashes = [MaxSeries][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}

func addSeries(p *plot.Plot, c Chart) error {
	for i, s := range c.Series {
		points := usable(s.Points, c)
		if len(points) == 0 {
			continue
		}
		if s.Kind == Dots {
			dots, err := plotter.NewScatter(points)
			if err != nil {
				return err
			}
			dots.GlyphStyle = glyph(i)
			p.Add(dots)
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.LineStyle = stroke(i)
		if s.Kind == Steps {
			line.StepStyle = plotter.PostStep
		}
		p.Add(line)
	}
	return nil
}

// shape is a glyph of strokes from the point outwards, in units of its radius: few characters of text, of which there are
// hundreds. No stroke at all makes a dot, a line of no length with a round end.
type shape [][4]vg.Length

var glyphs = [MaxSeries]shape{
	nil,
	{{-1, -1, 1, 1}, {-1, 1, 1, -1}},
	{{-1, 0, 1, 0}, {0, -1, 0, 1}},
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

func glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: seriesColours[i], Radius: 2.2, Shape: glyphs[i]}
}

func stroke(i int) draw.LineStyle {
	return draw.LineStyle{Color: seriesColours[i], Width: 1.6, Dashes: dashes[i]}
}

// usable leaves out what the scale cannot show, and thins what is more than can be seen.
func usable(points []XY, c Chart) plotter.XYs {
	kept := make([]XY, 0, len(points))
	for _, p := range points {
		bad := func(v float64, s Scale) bool { return math.IsNaN(v) || math.IsInf(v, 0) || s != Linear && v <= 0 }
		if !bad(p.X, c.X.Scale) && !bad(p.Y, c.Y.Scale) {
			kept = append(kept, p)
		}
	}
	var out plotter.XYs
	for _, p := range Thin(kept, mostPoints) {
		out = append(out, plotter.XY{X: p.X, Y: p.Y})
	}
	return out
}

// The colours are names: the rewrite turns each into a class, and gives it the colour that holds where no style is read.
var (
	inkColour     = color.RGBA{1, 0, 0, 255}
	axisColour    = color.RGBA{2, 0, 0, 255}
	gridColour    = color.RGBA{3, 0, 0, 255}
	bandColour    = color.RGBA{4, 0, 0, 255}
	ruleColour    = color.RGBA{5, 0, 0, 255}
	seriesColours = [MaxSeries]color.RGBA{{11, 0, 0, 255}, {12, 0, 0, 255}, {13, 0, 0, 255}, {14, 0, 0, 255}}
)
