package figure

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"petconform/reports/plain"
)

//go:embed chart.tmpl
var source string

var chart = template.Must(template.New("chart").Parse(source))

// Draw returns the chart as an SVG element.
func Draw(c Chart) (template.HTML, error) {
	if len(c.Series) > MaxSeries {
		return "", fmt.Errorf("%s has %d series; %d can be told apart", c.ID, len(c.Series), MaxSeries)
	}
	var b bytes.Buffer
	err := chart.Execute(&b, layout(c))
	return template.HTML(b.String()), err
}

// drawing is what the template writes: places in units of the view box, and text.
type drawing struct {
	ID, Title     string
	Width, Height int
	Ink           look
	Band          look
	Bands         []box
	Strokes       []stroke
	// Words are the texts by their anchor: start, middle or end.
	Words  map[string][]word
	Points []spot
}

type box struct{ X, Y, Width, Height int }

// look is a class of the page's style, with the colour for readers without the style, and the dashes that tell series apart
// without colours.
type look struct {
	Class, Colour string
	Width         float64
	Dashes        string
}

// The colours of lines and words have a contrast of 4.5 to 1 and more on white.
var (
	ink       = look{Class: "ink", Colour: "#1b2430"}
	band      = look{Class: "band", Colour: "#fdeeee"}
	grid      = look{"grid", "#ccd4de", 0.5, ""}
	resetLine = look{"rule", "#475264", 0.8, "2 4"}
	limitLine = look{"rule", "#475264", 1.4, "6 3"}
	peakMark  = look{"ink", "#1b2430", 1.1, ""}
	lines     = [MaxSeries]look{{"s1", "#0a4a9e", 1.6, ""}, {"s2", "#a3341b", 1.6, "7 4"}, {"s3", "#0a5c35", 1.6, "2 4"}, {"s4", "#6b2d91", 1.6, "9 4 2 4"}}
	// glyphs are the paths of a cloud's points, from the point outwards. A line of no length, with round ends, is a dot.
	glyphs = [MaxSeries]string{"h0", "m-3 0h6m-3-3v6", "m-2-2l4 4m-4 0l4-4", "m-3-2h6l-3 5z"}
)

const (
	dotWidth   = 4.5
	glyphWidth = 1.2
)

type stroke struct {
	look
	Path string
}

type word struct {
	X, Y int
	Text string
}

// spot is a point that shows Value on hover.
type spot struct {
	X, Y  int
	Value string
}

func (d *drawing) line(l look, format string, args ...any) {
	if path := fmt.Sprintf(format, args...); path != "" {
		d.Strokes = append(d.Strokes, stroke{l, path})
	}
}

func (d *drawing) word(x, y int, anchor, text string) {
	d.Words[anchor] = append(d.Words[anchor], word{x, y, plain.Clip(plain.Line(text), mostLetters)})
}

// mostLetters is how much of a label is shown: the name of a key may have any length, and any character.
const mostLetters = 60
