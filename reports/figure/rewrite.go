package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// class is what a colour of the drawing becomes: a class for the page's style, and the colour for where there is no style.
// The colours of lines and words have a contrast of 4.5 to 1 and more on white.
type class struct{ name, colour string }

var classes = map[string]class{
	"#010000": {"ink", "#1b2430"}, "#020000": {"axis", "#475264"}, "#030000": {"grid", "#ccd4de"}, "#040000": {"band", "#fdeeee"}, "#050000": {"rule", "#475264"},
	"#0B0000": {"s1", "#0a4a9e"}, "#0C0000": {"s2", "#a3341b"}, "#0D0000": {"s3", "#0a5c35"}, "#0E0000": {"s4", "#6b2d91"},
	"#FFFFFF": {"paper", "#ffffff"}, "#000000": {"ink", "#1b2430"},
}

// rewrite makes vgsvg's drawing fit for a page: style attributes become presentation attributes and classes, coordinates
// lose digits that nobody sees, neighbours that look the same become one path, and role, title and description are added.
func rewrite(svg []byte, c Chart) ([]byte, error) {
	in := xml.NewDecoder(bytes.NewReader(svg))
	out := &pen{}
	for {
		token, err := in.Token()
		switch {
		case errors.Is(err, io.EOF):
			return out.Bytes(), nil
		case err != nil:
			return nil, fmt.Errorf("%s: the drawing cannot be read again: %w", c.ID, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			out.start(t, c)
		case xml.EndElement:
			if t.Name.Local != "path" {
				out.lift()
				fmt.Fprintf(out, "</%s>", t.Name.Local)
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(t)); s != "" {
				_ = xml.EscapeText(out, []byte(s)) // a Buffer takes everything
			}
		}
	}
}

// pen writes the drawing and holds a path back while its neighbours look the same.
type pen struct {
	bytes.Buffer
	look, d string
}

func (p *pen) start(t xml.StartElement, c Chart) {
	if t.Name.Local == "path" {
		look, d := attributes(t)
		if look != p.look {
			p.lift()
		}
		p.look, p.d = look, p.d+d
		return
	}
	p.lift()
	if t.Name.Local == "svg" {
		open(&p.Buffer, c)
		return
	}
	look, _ := attributes(t)
	p.WriteString("<" + t.Name.Local + look + ">")
}

// lift writes the path that is held back.
func (p *pen) lift() {
	if p.d != "" {
		p.WriteString("<path" + p.look + ` d="` + p.d + `"/>`)
	}
	p.look, p.d = "", ""
}

func open(out *bytes.Buffer, c Chart) {
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t %s-d" font-family="system-ui,sans-serif" font-size="%d">`,
		width, height, width, height, c.ID, c.ID, textSize)
	for _, part := range []struct{ tag, id, text string }{{"title", "t", c.Title}, {"desc", "d", c.Caption}} {
		fmt.Fprintf(out, `<%s id="%s-%s">`, part.tag, c.ID, part.id)
		_ = xml.EscapeText(out, []byte(part.text)) // a Buffer takes everything
		fmt.Fprintf(out, "</%s>", part.tag)
	}
}

// attributes gives those of an element as they are to be, the way of a path apart from the rest.
func attributes(t xml.StartElement) (look, d string) {
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "style":
			for _, p := range presentation(a.Value) {
				look += fmt.Sprintf(` %s="%s"`, p[0], p[1])
			}
		case "d":
			d = way(a.Value)
		case "x", "y", "transform":
			look += fmt.Sprintf(` %s="%s"`, a.Name.Local, shorter(a.Value))
		}
	}
	return look, d
}

var step = regexp.MustCompile(`[MLZ]|A[^A-Z]*|-?[\d.]+,-?[\d.]+`)

// way rounds a path and writes its level and upright parts with one number each: most of a staircase is made of them.
func way(d string) string {
	var out strings.Builder
	var x, y, command string
	for _, part := range step.FindAllString(d, -1) {
		toX, toY, isPoint := strings.Cut(part, ",")
		switch {
		case part[0] == 'A':
			out.WriteString(shorter(part))
			x, y = "", ""
			continue
		case !isPoint:
			if command = part; part == "Z" {
				out.WriteString(part)
			}
			continue
		}
		toX, toY = shorter(toX), shorter(toY)
		switch {
		case command == "L" && toY == y && toX == x:
			out.WriteString("h0")
		case command == "L" && toY == y:
			out.WriteString("H" + toX)
		case command == "L" && toX == x:
			out.WriteString("V" + toY)
		default:
			out.WriteString(command + toX + "," + toY)
		}
		x, y = toX, toY
	}
	return out.String()
}

// presentation turns a style into attributes. Fonts are set once, on the drawing.
func presentation(style string) [][2]string {
	var out [][2]string
	for _, declaration := range strings.Split(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		switch {
		case strings.HasPrefix(name, "font"):
		case value == "none":
			out = append(out, [2]string{name, value})
		case name == "fill", name == "stroke":
			c, known := classes[strings.ToUpper(value)]
			if !known {
				c = class{"ink", "#1b2430"}
			}
			out = append(out, [2]string{"class", name[:1] + "-" + c.name}, [2]string{name, c.colour})
			if name == "stroke" && strings.HasPrefix(c.name, "s") { // a dot is a line of no length with a round end
				out = append(out, [2]string{"stroke-linecap", "round"})
			}
		case name == "stroke-width", name == "stroke-dasharray", name == "fill-opacity", name == "stroke-opacity":
			out = append(out, [2]string{name, value})
		}
	}
	return out
}

var number = regexp.MustCompile(`-?\d+\.\d+`)

// shorter rounds coordinates to a tenth of a unit.
func shorter(s string) string {
	return number.ReplaceAllStringFunc(s, func(n string) string {
		v, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return n
		}
		return strconv.FormatFloat(float64(int64(v*10+half(v)))/10, 'f', -1, 64)
	})
}

func half(v float64) float64 {
	if v < 0 {
		return -0.5
	}
	return 0.5
}
