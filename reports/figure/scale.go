package figure

import (
	"math"
	"slices"
	"strconv"

	"petconform/spec"
)

// Scale says how values are laid out.
type Scale string

// The scales. Linear and Whole begin at 0, so that lengths can be compared; Whole has ticks at whole numbers only.
// Percentile is logarithmic in 1/(1-p), so that 90 %, 99 % and 99.9 % are equally far apart.
const (
	Linear     Scale = ""
	Whole      Scale = "whole"
	Log        Scale = "log"
	Percentile Scale = "percentile"
)

// The bounds of what a scale can show: a logarithm needs a positive value, and a range needs a finite width.
const (
	smallest = 1e-6
	largest  = 1e300
)

func (s Scale) shows(v float64) bool {
	return math.Abs(v) <= largest && (!s.logarithmic() || v >= smallest)
}

func (s Scale) logarithmic() bool { return s == Log || s == Percentile }

// words writes a value of the axis.
func (s Scale) words(v float64) string {
	if s != Percentile {
		return num(v)
	}
	return strconv.FormatFloat(100-100/v, 'g', max(2, int(math.Ceil(math.Log10(v)-1e-9))+1), 64) + " %"
}

// span is the range of an axis, and the units of the drawing at its ends.
type span struct {
	Scale
	low, high float64
	from, to  float64
}

// narrow is the smallest ratio of the largest to the smallest value on a logarithmic axis; a smaller range is widened,
// so that values that are nearly the same lie in the middle.
const narrow = 4

// fit returns the range that shows all values, with room beyond the largest, as a share of the range.
func fit(s Scale, values []float64, room float64) span {
	if len(values) == 0 {
		values = []float64{1}
	}
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case s == Percentile:
		low, high = 1, math.Max(high, 2)
	case s == Log && high < low*narrow:
		low, high = low/narrow, high*narrow
	case !s.logarithmic():
		low, high = math.Min(low, 0), math.Max(high, 0)
		if low == high {
			high = 1
		}
		high += (high - low) * room
	}
	return span{Scale: s, low: low, high: high}
}

// at returns the place of a value in units of the drawing.
func (s span) at(v float64) int {
	share := (v - s.low) / (s.high - s.low)
	if s.logarithmic() {
		share = math.Log(v/s.low) / math.Log(s.high/s.low)
	}
	return int(math.Round(s.from + share*(s.to-s.from)))
}

type tick struct {
	value float64
	label string
}

// ticks returns fewer than about most round values of the range: multiples of 1, 2 or 5 times a power of ten.
func (s span) ticks(most float64) (out []tick) {
	add := func(v float64) {
		if v < s.low || v > s.high {
			return
		}
		label := s.words(v)
		if s.Scale != Percentile && math.Abs(v) < 1 { // 0.0012 and 0.001 are two ticks; + 0 turns -0 into 0
			label = strconv.FormatFloat(v+0, 'g', 2, 64)
		}
		out = append(out, tick{v, label})
	}
	switch s.Scale {
	case Percentile:
		for _, v := range []float64{1, 2, 4, 10, 100, 1e3, 1e4, 1e5} {
			add(v)
		}
	case Log:
		first, last := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
		apart, digits := 1.0, []float64{1, 2, 5}
		if math.Log10(s.high/s.low)*3 > most {
			apart, digits = math.Ceil((last-first)/most), digits[:1]
		}
		for e := first; e <= last; e += apart {
			for _, digit := range digits {
				add(digit * math.Pow(10, e))
			}
		}
	default:
		step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/most)))
		for _, f := range []float64{2, 2.5, 2} { // 2, 5 and 10 times the power of ten
			if (s.high-s.low)/step >= most {
				step *= f
			}
		}
		if s.Scale == Whole {
			step = max(step, 1)
		}
		for i := math.Ceil(s.low / step); i*step <= s.high; i++ {
			add(i * step)
		}
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
