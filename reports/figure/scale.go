package figure

import (
	"math"
	"slices"
	"strconv"

	"petconform/spec"
)

// largest bounds what an axis can show: a range needs a finite width.
const largest = 1e300

func shows(v float64) bool { return math.Abs(v) <= largest }

// span is the range of an axis, and the units of the drawing at its ends.
type span struct {
	low, high float64
	from, to  float64
}

// fit returns the range that shows 0 and all values, so that lengths can be compared, with room beyond the largest, as a
// share of the range.
func fit(values []float64, room float64) span {
	low, high := 0.0, 0.0
	if len(values) > 0 {
		low, high = math.Min(slices.Min(values), 0), math.Max(slices.Max(values), 0)
	}
	if low == high {
		high = 1
	}
	return span{low: low, high: high + (high-low)*room}
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
		v := i * step
		if v < s.low {
			continue
		}
		label := num(v)
		if math.Abs(v) < 1 { // 0.0012 and 0.001 are two ticks; + 0 turns -0 into 0
			label = strconv.FormatFloat(v+0, 'g', 2, 64)
		}
		out = append(out, tick{v, label})
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
