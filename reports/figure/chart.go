// Package figure draws the charts of a load run as SVG elements of a page. Colours are classes, so that a chart follows dark
// mode, and also presentation attributes, for readers without the style. Each chart has a title, and a caption that describes it.
//
// gonum.org/v1/plot draws axes, ticks and legends. A rewrite of its SVG adds classes, roles and titles.
package figure

// Chart is one figure.
type Chart struct {
	// ID is the anchor, "figure-2".
	ID, Title string
	// Caption says what the chart shows. It is also the drawing's description for screen readers: the page shows it in the
	// element ID + "-d".
	Caption string
	// N is the number of measurements, and Of says of what ("responses").
	N  int
	Of string

	X, Y   Axis
	Series []Series
	// Panels, if there are any, replace Series: each is a small chart of its own, all with the same axes.
	Panels []Series
	// Bands shade ranges of x. Rules are vertical lines and Levels horizontal ones. Marks are single points with a label.
	Bands  []Band
	Rules  []Rule
	Levels []Rule
	Marks  []Mark

	Table Table
}

// Axis is one of the two.
type Axis struct {
	Label string
	Scale Scale
	// Min and Max widen the range of the data, unless both are 0.
	Min, Max float64
}

// fromZero, as Max, makes an axis begin at 0, so that lengths can be compared, and does not widen it otherwise.
const fromZero = 1e-9

// Scale says how values are laid out.
type Scale string

// The scales. Percentile is logarithmic in 1/(1-p), so that 90 %, 99 % and 99.9 % are equally far apart.
const (
	Linear     Scale = ""
	Log        Scale = "log"
	Percentile Scale = "percentile"
)

// Series is one line or cloud. A chart has at most MaxSeries, each with its own dash or glyph.
type Series struct {
	Name   string
	Kind   Kind
	Points []XY
}

// MaxSeries is the largest number of series that a reader can distinguish without colours.
const MaxSeries = 4

// Kind is how a series is drawn.
type Kind string

// The kinds. Steps hold a value until the next one.
const (
	Line  Kind = "line"
	Steps Kind = "steps"
	Dots  Kind = "dots"
)

// XY is a point.
type XY struct{ X, Y float64 }

// Band shades the stretch from From to To.
type Band struct{ From, To float64 }

// Rule is a line at one value.
type Rule struct {
	At    float64
	Label string
}

// Mark is a point with a word beside it.
type Mark struct {
	XY
	Label string
}

// Table is the data of a chart. Left is the number of rows that are left out.
type Table struct {
	Columns []string
	Rows    [][]string
	Left    int
}

// All counts the rows, those that are left out too.
func (t Table) All() int { return len(t.Rows) + t.Left }

// MaxRows is how many rows of data a page shows of a chart; results.json has them all.
const MaxRows = 10

// thin returns about most of the points of a series: the lowest and the highest of each stretch, so that no spike is lost.
func thin(points []XY, most int) []XY {
	if len(points) <= most || most < 4 {
		return points
	}
	out := make([]XY, 0, most)
	stretches := most / 2
	for i := range stretches {
		from, to := i*len(points)/stretches, (i+1)*len(points)/stretches
		low, high := from, from
		for j := from; j < to; j++ {
			if points[j].Y < points[low].Y {
				low = j
			}
			if points[j].Y > points[high].Y {
				high = j
			}
		}
		out = append(out, points[min(low, high)])
		if low != high {
			out = append(out, points[max(low, high)])
		}
	}
	return out
}

// Sample returns about most of the points of a cloud. Four in five are taken evenly, so that the density stays visible; the
// others are extremes, so that no outlier is lost.
func Sample(points []XY, most int) []XY {
	if len(points) <= most || most < 20 {
		return points
	}
	extreme := thin(points, most/5)
	even := most - len(extreme)
	out, next := make([]XY, 0, most), 0
	for i, p := range points {
		if next < len(extreme) && extreme[next] == p {
			next++
		} else if i*even/len(points) == (i-1)*even/len(points) && i > 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}
