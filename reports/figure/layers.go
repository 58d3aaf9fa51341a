package figure

import (
	"math"
	"strconv"

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

// over draws the marks, above the data.
type over struct{ c Chart }

// Plot draws it.
func (o over) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, m := range o.c.Marks {
		at := vg.Point{X: tx(m.X), Y: ty(m.Y)}
		c.DrawGlyph(draw.GlyphStyle{Color: inkColour, Radius: 5, Shape: draw.RingGlyph{}}, at)
		align, by, above := text.XLeft, vg.Length(8), vg.Length(-10)
		if at.X > (c.Min.X+c.Max.X)/2 {
			align, by = text.XRight, -8
		}
		if at.Y < (c.Min.Y+c.Max.Y)/2 {
			above = 10
		}
		c.FillText(labelStyle(align, text.YCenter), vg.Point{X: at.X + by, Y: at.Y + above}, m.Label)
	}
}

func labelStyle(x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: inkColour, Font: face, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// legend writes the names of the series side by side above the data, each behind a piece of its line or its glyph. plot's own
// would lie on the data.
func legend(c draw.Canvas, chart Chart) {
	const gap = 16
	x, y := vg.Length(40), c.Max.Y-legendRoom/2
	style := labelStyle(text.XLeft, text.YCenter)
	name := func(word string) {
		c.FillText(style, vg.Point{X: x + swatch + 5, Y: y}, word)
		x += swatch + 5 + style.Width(word)*wider + gap
	}
	for i, s := range chart.Series {
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
	// wider is how much wider a page's own font may be than the one that is measured with.
	wider = 1.2
)

// round are the ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten, about six of them.
type round struct{}

// Ticks gives them.
func (round) Ticks(low, high float64) []plot.Tick {
	span := high - low
	if !(span > 0) {
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 6, 64)}}
	}
	step := math.Pow(10, math.Floor(math.Log10(span/4)))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(step*f) <= 7 {
			step *= f
			break
		}
	}
	var out []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		v := i * step
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', max(0, -int(math.Floor(math.Log10(step)+1e-9))), 64)})
	}
	return out
}

// decades are the ticks of a logarithmic axis: 1, 10, 100, and the thirds between where there are few.
type decades struct{}

// Ticks gives them.
func (decades) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, digit := range []float64{1, 2, 5} {
			v := digit * math.Pow(10, e)
			if v >= low*0.999 && v <= high*1.001 {
				out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 3, 64)})
			}
		}
	}
	if len(out) <= 8 {
		return out
	}
	var tens []plot.Tick
	for _, t := range out {
		if e := math.Log10(t.Value); math.Abs(e-math.Round(e)) < 1e-9 {
			tens = append(tens, t)
		}
	}
	return tens
}

// nines are the ticks of the percentile axis.
type nines struct{}

// Ticks gives them.
func (nines) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for _, t := range []plot.Tick{{Value: 1, Label: "0 %"}, {Value: 2, Label: "50 %"}, {Value: 4, Label: "75 %"}, {Value: 10, Label: "90 %"}, {Value: 100, Label: "99 %"},
		{Value: 1000, Label: "99.9 %"}, {Value: 10000, Label: "99.99 %"}, {Value: 100000, Label: "99.999 %"}} {
		if t.Value >= low*0.999 && t.Value <= high*1.001 {
			out = append(out, t)
		}
	}
	return out
}
