// Package figure draws the charts of a load run as SVG elements of a page. There is one kind of chart: steps over time,
// on axes that begin at 0. Functions without side effects choose what a chart says (Of) and where each mark lies
// (layout); the template chart.tmpl writes it. Colours are classes, so that a chart follows dark mode, and also presentation attributes, for readers
// without the style. A point shows its value on hover.
package figure

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
)

//go:embed chart.tmpl
var source string

var chart = template.Must(template.New("chart").Parse(source))

// Draw returns the chart as an SVG element.
func Draw(c Chart) template.HTML {
	c.Series = c.Series[:min(len(c.Series), MaxSeries)] // more cannot be told apart
	var b bytes.Buffer
	_ = chart.Execute(&b, layout(c)) // a Buffer takes everything, and the template is tested
	return template.HTML(b.String())
}

// Chart is one figure.
type Chart struct {
	// ID is the anchor, "figure-2".
	ID, Title string
	// Caption says what the chart shows. It is also the drawing's description for screen readers: the page shows it in
	// the element ID + "-d".
	Caption string
	// N is the number of measurements, and Of says of what ("responses").
	N  int
	Of string

	X, Y   Axis
	Series []Series
	// Limit is a horizontal line, the plan's limit; 0 draws none.
	Limit float64
	// Peak is a point to mark with its value.
	Peak *XY
	// Refused are the stretches of x with 429 alone, shaded between two marks, and Resets the advertised resets, each a vertical line.
	Refused []Stretch
	Resets  []float64

	Table Table
}

// Axis is one of the two. Value is the format of one of its values on hover, with one %s: "%s ms".
type Axis struct{ Label, Value string }

// Series is a line in steps: it holds a value until the next one. A chart has at most MaxSeries, each with its own dash.
type Series struct {
	Name   string
	Points []XY
}

// MaxSeries is the largest number of series that a reader can distinguish without colours.
const MaxSeries = 4

// XY is a point.
type XY struct{ X, Y float64 }

// Stretch is a range of x.
type Stretch struct{ From, To float64 }

// Table has the data of a chart. Left is the number of rows that are left out.
type Table struct {
	Columns []string
	Rows    [][]string
	Left    int
}

// All counts the rows, those that are left out too.
func (t Table) All() int { return len(t.Rows) + t.Left }

// MaxRows is how many rows of data a page shows of a chart; results.json has them all.
const MaxRows = 10

// table makes rows of n data points. If there are more than a page shows, it has evenly chosen ones, with the first,
// the last and those of keep.
func table(n int, columns []string, row func(i int) []string, keep ...int) Table {
	t := Table{Columns: columns}
	most := MaxRows - 1 - len(keep)
	for i := range n {
		if n <= MaxRows || i == n-1 || i*most/n != (i-1)*most/n || i == 0 || slices.Contains(keep, i) {
			t.Rows = append(t.Rows, row(i))
		}
	}
	t.Left = n - len(t.Rows)
	return t
}
