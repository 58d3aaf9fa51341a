// Package figure draws the charts of a load run as SVG elements of a page. There is one kind of chart: steps over time,
// on axes that begin at 0. Functions without side effects choose what a chart says (Of) and where each mark lies
// (layout); the template chart.tmpl writes it. Colours are classes, so that a chart follows dark mode, and also
// presentation attributes, for readers without the style. A point shows its value on hover.
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

// Drawing is the chart as an SVG element.
func (c Chart) Drawing() template.HTML {
	var b bytes.Buffer
	_ = chart.Execute(&b, layout(c)) // a Buffer takes everything, and the template is tested
	return template.HTML(b.String())
}

// Chart is one figure. All values of x are minutes since the run began.
type Chart struct {
	// ID is the anchor, "figure-2".
	ID, Title string
	// Caption says what the chart shows. It is also the drawing's description for screen readers: the page shows it in
	// the element ID + "-d".
	Caption string
	// N is the number of measurements, and Of says of what ("responses").
	N  int
	Of string
	// X and Y are the labels of the axes.
	X, Y   string
	Series []Series
	// Limit is a horizontal line, the plan's limit; 0 draws none.
	Limit float64
	// Peak is a point to mark with its value.
	Peak *XY
	// Refused are the times of 429s, each a tick on the axis, and Resets the advertised resets, each a vertical line.
	Refused, Resets []float64
}

// Series is a line in steps: it holds a value until the next one. A chart has at most four, each with its own dash: a
// reader can distinguish no more without colours.
type Series struct {
	Name   string
	Points []XY
}

// XY is a point.
type XY struct{ X, Y float64 }

// Table has data for a page. Left is the number of rows that are left out.
type Table struct {
	Columns []string
	Rows    [][]string
	Left    int
}

// All counts the rows, those that are left out too.
func (t Table) All() int { return len(t.Rows) + t.Left }

// maxRows is how many rows of data a page shows of a chart; results.json has them all.
const maxRows = 10

// Table has the values of the series, which have the same times, at a few of them: the first, the last, that of the
// peak, and others between them.
func (c Chart) Table() Table {
	t := Table{Columns: []string{"Minute"}}
	for _, s := range c.Series {
		t.Columns = append(t.Columns, s.Name)
	}
	const most = maxRows - 2
	peak := slices.IndexFunc(c.Series[0].Points, func(p XY) bool { return c.Peak != nil && p == *c.Peak })
	for i, p := range c.Series[0].Points {
		if n := len(c.Series[0].Points); n > maxRows && i > 0 && i < n-1 && i*most/n == (i-1)*most/n && i != peak {
			t.Left++
			continue
		}
		row := []string{num(p.X)}
		for _, s := range c.Series {
			row = append(row, num(s.Points[i].Y))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
