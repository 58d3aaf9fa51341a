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

// Chart is one figure. All values of x are seconds since the run began.
type Chart struct {
	// ID is the anchor, "figure-2".
	ID, Title string
	// Caption says what the chart shows. It is also the drawing's description for screen readers: the page shows it in
	// the element ID + "-d".
	Caption string
	// N is the number of measurements, and Of says of what ("responses").
	N  int
	Of string
	// Y is the label of the upright axis.
	Y string
	// Layers are drawn one over the other; those without points are not. Those that are Steps have the same times, and
	// there are at most four: a reader can distinguish no more without colours.
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

// The marks: a line in steps, which holds a value until the next one; a rule across at a value; rules down, and ticks on
// the axis, at times; and a point with its value.
const (
	Steps Mark = iota
	Across
	Down
	Ticks
	Peak
)

func (c Chart) steps() []Layer {
	return slices.DeleteFunc(slices.Clone(c.Layers), func(l Layer) bool { return l.As != Steps || len(l.Points) == 0 })
}

// Table has data for a page. All is the number of rows with those that are left out.
type Table struct {
	Columns []string
	Rows    [][]string
	All     int
}

// maxRows is about how many rows of data a page shows of a chart; results.json has them all.
const maxRows = 10

// Table has the values of the steps at a few of their times, evenly spread.
func (c Chart) Table() Table {
	steps := c.steps()
	t := Table{Columns: []string{"Second"}, All: len(steps[0].Points)}
	for _, l := range steps {
		t.Columns = append(t.Columns, l.Name)
	}
	for i := 0; i < t.All; i += (t.All-1)/maxRows + 1 {
		row := []string{Num(steps[0].Points[i].X)}
		for _, l := range steps {
			row = append(row, Num(l.Points[i].Y))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
