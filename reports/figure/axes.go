package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"petconform/spec"
)

// narrow is the smallest ratio of the largest to the smallest value on a logarithmic axis; a smaller range is widened.
const narrow = 4

func setAxis(a *plot.Axis, want Axis) {
	a.Label.Text, a.Label.Padding = want.Label, 4
	a.Label.TextStyle.Font, a.Tick.Label.Font = face, face
	a.Label.TextStyle.Color, a.Tick.Label.Color = inkColour, inkColour
	// The grid reaches the numbers, so an axis line and ticks would only repeat it.
	a.Tick.Marker, a.Tick.Length, a.Width = even{}, 0, 0
	switch want.Scale {
	case Log:
		a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
	case Percentile:
		a.Scale, a.Tick.Marker = plot.LogScale{}, nines{}
	}
}

// fit widens the range as the axes require, and widens the range of a chart whose values are all equal.
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
			room := 0.04
			if a.axis == &p.Y && len(c.Marks) > 0 { // for the words above them
				room = 0.12
			}
			a.axis.Max += (a.axis.Max - a.axis.Min) * room
		} else {
			a.axis.Min = math.Max(a.axis.Min, 1e-6)
			if a.want.Scale == Log && a.axis.Max < a.axis.Min*narrow { // values that are nearly the same stand in the middle
				a.axis.Min, a.axis.Max = a.axis.Min/narrow, a.axis.Max*narrow
			}
			a.axis.Max = math.Max(a.axis.Max, a.axis.Min*2)
		}
	}
}

// even are the ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten, about six of them.
type even struct{}

// Ticks implements plot.Ticker.
func (even) Ticks(low, high float64) []plot.Tick {
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
		out = append(out, plot.Tick{Value: v, Label: tickLabel(v, 'f', max(0, -int(math.Floor(math.Log10(step)+1e-9))))})
	}
	return out
}

func tickLabel(v float64, format byte, precision int) string {
	if math.Abs(v) >= 1000 {
		return spec.Number(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, format, precision, 64)
}

// decades are the ticks of a logarithmic axis: 1, 10, 100, and the thirds between where there are few.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, digit := range []float64{1, 2, 5} {
			v := digit * math.Pow(10, e)
			if v >= low*0.999 && v <= high*1.001 {
				out = append(out, plot.Tick{Value: v, Label: tickLabel(v, 'g', 3)})
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

// Ticks implements plot.Ticker.
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
