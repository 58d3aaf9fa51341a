package figure

import (
	"math"
	"slices"
	"strconv"

	"petconform/spec"
)

// Scale says how values are laid out.
type Scale string

// The scales. Linear begins at 0, so that lengths can be compared. Percentile is logarithmic in 1/(1-p), so that 90 %, 99 % and 99.9 %
// are equally far apart.
const (
	Linear     Scale = ""
	Log        Scale = "log"
	Percentile Scale = "percentile"
)

// The bounds of what a scale can show: a logarithm needs a positive value, and a range needs a finite width.
const (
	smallest = 1e-6
	largest  = 1e300
)

func (s Scale) shows(v float64) bool {
	return math.Abs(v) <= largest && (s == Linear || v >= smallest)
}

// span is the range of an axis, and the units of the drawing at its ends.
type span struct {
	Scale
	low, high float64
	from, to  float64
}

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
	case s == Linear:
		low, high = math.Min(low, 0), math.Max(high, 0)
		if low == high {
			high = 1
		}
		high += (high - low) * room
	}
	return span{Scale: s, low: low, high: high}
}

// narrow is the smallest ratio of the largest to the smallest value on a logarithmic axis; a smaller range is widened, so that
// values that are nearly the same lie in the middle.
const narrow = 4

// at returns the place of a value in units of the drawing.
func (s span) at(v float64) float64 {
	share := (v - s.low) / (s.high - s.low)
	if s.Scale != Linear {
		share = math.Log(v/s.low) / math.Log(s.high/s.low)
	}
	return s.from + share*(s.to-s.from)
}

type tick struct {
	value float64
	label string
}

// ticks returns fewer than about most round values of the range: multiples of 1, 2 or 5 times a power of ten.
func (s span) ticks(most float64) []tick {
	var out []tick
	switch s.Scale {
	case Percentile:
		for _, t := range []tick{{1, "0 %"}, {2, "50 %"}, {4, "75 %"}, {10, "90 %"}, {100, "99 %"}, {1e3, "99.9 %"}, {1e4, "99.99 %"}, {1e5, "99.999 %"}} {
			if t.value <= s.high {
				out = append(out, t)
			}
		}
		return out
	case Log:
		return s.decades(most)
	}
	var step float64
	for _, f := range []float64{1, 2, 5, 10} {
		step = f * math.Pow(10, math.Floor(math.Log10((s.high-s.low)/most)))
		if (s.high-s.low)/step < most {
			break
		}
	}
	for i := math.Ceil(s.low / step); i*step <= s.high; i++ {
		out = append(out, tick{i * step, tickLabel(i * step)})
	}
	return out
}

// decades returns 1, 2 and 5 times the powers of ten in the range, or only the powers where those are too many.
func (s span) decades(most float64) []tick {
	first, last := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
	apart, digits := 1.0, []float64{1, 2, 5}
	if math.Log10(s.high/s.low)*3 > most {
		apart, digits = math.Ceil((last-first)/most), []float64{1}
	}
	var out []tick
	for e := first; e <= last; e += apart {
		for _, digit := range digits {
			if v := digit * math.Pow(10, e); v >= s.low && v <= s.high {
				out = append(out, tick{v, tickLabel(v)})
			}
		}
	}
	return out
}

func tickLabel(v float64) string {
	size := math.Abs(v)
	if size >= 1000 && size < 1e9 {
		return spec.Number(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v+0, 'g', 6, 64) // + 0 turns -0 into 0
}

// num writes a number with about three significant digits.
func num(v float64) string {
	switch size := math.Abs(v); {
	case size >= 1e15:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case size > 0 && size < 0.01:
		return strconv.FormatFloat(v, 'g', 1, 64)
	case v == math.Trunc(v) || size >= 100:
		return spec.Number(int64(math.Round(v)))
	case size >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// words writes a value of the axis.
func (s Scale) words(v float64) string {
	if s != Percentile {
		return num(v)
	}
	return strconv.FormatFloat(100-100/v, 'f', max(0, int(math.Ceil(math.Log10(v)-1e-9))-1), 64) + " %"
}
