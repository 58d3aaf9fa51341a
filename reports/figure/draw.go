package figure

import (
	"bytes"
	"fmt"
	"image/color"
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
	// panelHeight is that of a row of panels.
	panelHeight = 160
	// mostPoints and mostDots are the largest numbers of points of a line and of a cloud. More would make the page larger and
	// show nothing more.
	mostPoints = 500
	mostDots   = 100

	textSize = 12
	// legendRoom above the data keeps the legend off it.
	legendRoom = 26
	// edge keeps the last number of an axis whole.
	edge = 8
)

// Draw returns the chart as an SVG element.
func Draw(c Chart) ([]byte, error) {
	if len(c.Series) > MaxSeries {
		return nil, fmt.Errorf("%s has %d series; %d can be told apart", c.ID, len(c.Series), MaxSeries)
	}
	c = shown(c)
	high := c.height()
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, vg.Length(high)), vgsvg.EmbedFonts(false))
	area := draw.Crop(draw.New(canvas), 0, -edge, 0, -legendRoom)
	if len(c.Panels) > 0 {
		panels(area, c)
	} else {
		p := newPlot(c)
		fit(p, c)
		p.Draw(area)
	}
	legend(draw.New(canvas), c)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return rewrite(b.Bytes(), c, high)
}

func (c Chart) height() int {
	if n := len(c.Panels); n > 0 {
		rows, _ := layout(n)
		return rows*panelHeight + legendRoom
	}
	return height
}

// newPlot draws the parts of a chart over each other. The caller sets the range of the axes.
func newPlot(c Chart) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the page's own shows through, light or dark
	setAxis(&p.X, c.X)
	setAxis(&p.Y, c.Y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColour, gridColour
	grid.Vertical.Width, grid.Horizontal.Width = 0.5, 0.5
	p.Add(grid)
	p.Add(under{c})
	addSeries(p, c)
	p.Add(over{c})
	return p
}

// shown replaces characters that XML does not allow: the name of a key may have any.
func shown(c Chart) Chart {
	c.Title, c.Caption, c.X.Label, c.Y.Label = plain.Line(c.Title), plain.Line(c.Caption), plain.Line(c.X.Label), plain.Line(c.Y.Label)
	c.Series, c.Panels = slices.Clone(c.Series), slices.Clone(c.Panels)
	c.Levels, c.Rules, c.Marks = slices.Clone(c.Levels), slices.Clone(c.Rules), slices.Clone(c.Marks)
	for i := range c.Series {
		c.Series[i].Name = plain.Clip(plain.Line(c.Series[i].Name), 40)
	}
	for i := range c.Panels {
		c.Panels[i].Name = plain.Clip(plain.Line(c.Panels[i].Name), 24)
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

// The colours are placeholders. The rewrite replaces each by a class, and by the colour for readers without the style.
var (
	inkColour     = color.RGBA{1, 0, 0, 255}
	gridColour    = color.RGBA{3, 0, 0, 255}
	bandColour    = color.RGBA{4, 0, 0, 255}
	ruleColour    = color.RGBA{5, 0, 0, 255}
	seriesColours = [MaxSeries]color.RGBA{{11, 0, 0, 255}, {12, 0, 0, 255}, {13, 0, 0, 255}, {14, 0, 0, 255}}
)
