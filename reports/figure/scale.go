package figure

import (
	"math"
	"strconv"

	"petconform/spec"
)

// span is the range of an axis, and the units of the drawing at its ends.
type span struct {
	low, high float64
	from, to  float64
}

// spans returns the ranges of the axes, which show 0 and all values, so that lengths can be compared, with room beyond
// the largest.
func (c Chart) spans() (x, y span) {
	y.high = c.Limit
	for _, s := range c.Series {
		for _, p := range s.Points {
			x.low, x.high = min(x.low, p.X), max(x.high, p.X)
			y.low, y.high = min(y.low, p.Y), max(y.high, p.Y)
		}
	}
	return x.with(0.02), y.with(0.12) // the words above a peak take more
}

func (s span) with(room float64) span {
	if s.low == s.high {
		s.high = 1
	}
	s.high += (s.high - s.low) * room
	return s
}

// at returns the place of a value in units of the drawing.
func (s span) at(v float64) int {
	return int(math.Round(s.from + (v-s.low)/(s.high-s.low)*(s.to-s.from)))
}

type tick struct {
	value float64
	label string
}

// ticks returns fewer than about most round values of the range: multiples of 1, 2 or 5 times a power of ten.
func (s span) ticks(most float64) (out []tick) {
	step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/most)))
	for _, f := range []float64{2, 2.5, 2} { // 2, 5 and 10 times the power of ten
		if (s.high-s.low)/step >= most {
			step *= f
		}
	}
	for i := math.Ceil(s.low / step); i*step <= s.high; i++ {
		label := num(i * step)
		if v := i * step; math.Abs(v) < 1 { // 0.0012 and 0.001 are two ticks; + 0 turns -0 into 0
			label = strconv.FormatFloat(v+0, 'g', 2, 64)
		}
		out = append(out, tick{i * step, label})
	}
	return out
}

// num writes a number: whole from 1,000 on, else with three significant digits, below 1 with two, and below 0.01 with
// one.
func num(v float64) string {
	digits := 3
	switch size := math.Abs(v); {
	case size >= 999.5 && size < 1e15:
		return spec.Number(int64(math.Round(v)))
	case size < 0.01:
		digits = 1
	case size < 1:
		digits = 2
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}
