package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// under draws what lies below the data: bands, rules, levels.
type under struct{ c Chart }

// Plot draws it.
func (u under) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, b := range u.c.Bands {
		from, to := tx(math.Max(b.From, p.X.Min)), tx(math.Min(b.To, p.X.Max))
		if to > from {
			c.FillPolygon(bandColour, []vg.Point{{X: from, Y: c.Min.Y}, {X: to, Y: c.Min.Y}, {X: to, Y: c.Max.Y}, {X: from, Y: c.Max.Y}})
		}
	}
	for _, r := range u.c.Rules {
		if r.At >= p.X.Min && r.At <= p.X.Max {
			x := tx(r.At)
			c.StrokeLine2(ruleStyle, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, l := range u.c.Levels {
		y := ty(l.At)
		c.StrokeLine2(levelStyle, c.Min.X, y, c.Max.X, y)
	}
}

var (
	ruleStyle  = draw.LineStyle{Color: ruleColour, Width: 0.8, Dashes: []vg.Length{2, 4}}
	levelStyle = draw.LineStyle{Color: ruleColour, Width: 1.2, Dashes: []vg.Length{5, 3}}
)

// diamond is open, so that what it marks shows through.
var diamond = shape{{-1, 0, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, -1}, {0, -1, -1, 0}}

// over draws the marks, above the data.
type over struct{ c Chart }

// Plot draws it.
func (o over) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, m := range o.c.Marks {
		at := vg.Point{X: tx(m.X), Y: ty(m.Y)}
		c.DrawGlyph(draw.GlyphStyle{Color: inkColour, Radius: 6, Shape: diamond}, at)
		// A mark is a peak: above it there is no line to write upon.
		c.FillText(labelStyle(text.XCenter, text.YBottom), vg.Point{X: at.X, Y: at.Y + 8}, m.Label)
	}
}

func labelStyle(x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: inkColour, Font: face, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// legend writes the names of the series above the data, each after a piece of its line or its glyph. The legend of package plot
// would cover data.
func legend(c draw.Canvas, chart Chart) {
	const gap = 16
	x, y := vg.Length(40), c.Max.Y-legendRoom/2
	style := labelStyle(text.XLeft, text.YCenter)
	name := func(word string) {
		c.FillText(style, vg.Point{X: x + swatch + 5, Y: y}, word)
		x += swatch + 5 + style.Width(word)*wider + gap
	}
	series := chart.Series
	if len(chart.Panels) > 0 { // one look for all: the panels have their own names above them
		series = []Series{{Name: chart.Y.Label, Kind: chart.Panels[0].Kind}}
	}
	for i, s := range series {
		if s.Kind == Dots {
			c.DrawGlyph(glyph(i), vg.Point{X: x + swatch/2, Y: y})
		} else {
			c.StrokeLine2(stroke(i), x, y, x+swatch, y)
		}
		name(s.Name)
	}
	for _, l := range chart.Levels {
		c.StrokeLine2(levelStyle, x, y, x+swatch, y)
		name(l.Label)
	}
	if len(chart.Rules) > 0 {
		c.StrokeLine2(ruleStyle, x+swatch/2, y-6, x+swatch/2, y+6)
		name(chart.Rules[0].Label)
	}
}

// face is the font that text is measured with; the page has its own.
var face = font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize}

const (
	swatch = 24
	// wider is the ratio by which the page's font may be wider than the measured one.
	wider = 1.2
)
