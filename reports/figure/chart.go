// Package figure draws the charts of a load run as SVG elements of a page. There is one kind of chart: layers over time,
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
	X, Y string
	// Layers are drawn one over the other. The legend names each that has points. Those that are Steps have the same
	// times, and there are at most four: a reader can distinguish no more without colours.
	Layers []Layer
}

// Layer is one thing in a chart.
type Layer struct {
	Name   string
	As     Mark
	Points []XY
}

// XY is a point.
type XY struct{ X, Y float64 }

// Mark is how a layer is drawn.
type Mark int

// The marks: a line in steps, which holds a value until the next one; a rule across at a value; rules upright at times;
// ticks on the axis at times; and a point with its value.
const (
	Steps Mark = iota
	Across
	Upright
	Ticks
	Peak
)

// of returns the layers of a mark that have points.
func (c Chart) of(m Mark) []Layer {
	return slices.DeleteFunc(slices.Clone(c.Layers), func(l Layer) bool { return l.As != m || len(l.Points) == 0 })
}

// Table has data for a page. All is the number of rows with those that are left out.
type Table struct {
	Name    string
	Columns []string
	Rows    [][]string
	All     int
}

// maxRows is how many rows of data a page shows of a chart; results.json has them all.
const maxRows = 10

// Table has the values of the steps at a few of their times: the first, the last, that of the peak, and others between.
func (c Chart) Table() Table {
	steps := c.of(Steps)
	n := len(steps[0].Points)
	t := Table{Columns: []string{"Minute"}, All: n}
	for _, l := range steps {
		t.Columns = append(t.Columns, l.Name)
	}
	const most = maxRows - 2
	for i, p := range steps[0].Points {
		isPeak := slices.ContainsFunc(c.of(Peak), func(l Layer) bool { return l.Points[0] == p })
		if n > maxRows && i > 0 && i < n-1 && i*most/n == (i-1)*most/n && !isPeak {
			continue
		}
		row := []string{num(p.X)}
		for _, l := range steps {
			row = append(row, num(l.Points[i].Y))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
