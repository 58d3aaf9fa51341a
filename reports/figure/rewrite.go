package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// class is what a colour of the drawing becomes: a class for the page's style, and the colour for where there is no style.
// The colours of lines and words have a contrast of 4.5 to 1 and more on white.
type class struct{ name, colour string }

var ink = class{"ink", "#1b2430"}

var classes = map[string]class{
	"#010000": ink, "#030000": {"grid", "#ccd4de"}, "#040000": {"band", "#fdeeee"}, "#050000": {"rule", "#475264"},
	"#0B0000": {"s1", "#0a4a9e"}, "#0C0000": {"s2", "#a3341b"}, "#0D0000": {"s3", "#0a5c35"}, "#0E0000": {"s4", "#6b2d91"},
}

// rewrite adapts vgsvg's drawing to the page. It turns style attributes into presentation attributes and classes, and coordinates
// into relative whole numbers; it drops the groups that flip the drawing, joins neighbouring paths of the same look, and adds the
// role, the title and the id of the description. An element that it does not know is an error.
func rewrite(svg []byte, c Chart, high int) ([]byte, error) {
	in := xml.NewDecoder(bytes.NewReader(svg))
	out := &pen{high: float64(high)}
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
			err = out.start(t, c)
		case xml.EndElement:
			out.end(t.Name.Local)
		case xml.CharData:
			if s := strings.TrimSpace(string(t)); s != "" {
				_ = xml.EscapeText(out, []byte(s)) // a Buffer takes everything
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
	}
}

// pen writes the drawing. It delays a path to join it with following ones of the same look.
type pen struct {
	bytes.Buffer
	high float64
	// groups are those that are open, each with whether it is turned by a right angle.
	groups []bool
	// look and d are those of the delayed path; x and y are its current point.
	look string
	d    strings.Builder
	x, y int
}

func (p *pen) start(t xml.StartElement, c Chart) error {
	if t.Name.Local != "path" {
		p.lift()
	}
	switch t.Name.Local {
	case "svg":
		open(&p.Buffer, c, int(p.high))
	case "g":
		return p.group(value(t, "transform"))
	case "text":
		return p.text(t)
	case "path":
		if look := presentation(value(t, "style")); look != p.look {
			p.lift()
			p.look = look
		}
		return p.way(value(t, "d"))
	default:
		return fmt.Errorf("the drawing has a <%s>, and only svg, g, path and text are known", t.Name.Local)
	}
	return nil
}

func (p *pen) end(name string) {
	switch name {
	case "path":
	case "g":
		p.lift()
		p.groups = p.groups[:len(p.groups)-1]
	default:
		p.lift()
		p.WriteString("</" + name + ">")
	}
}

// lift writes the path that is held back.
func (p *pen) lift() {
	if p.d.Len() > 0 {
		p.WriteString("<path" + p.look + ` d="` + p.d.String() + `"/>`)
	}
	p.look, p.x, p.y = "", 0, 0
	p.d.Reset()
}

// group drops a group: y grows downwards in the page's drawing, and upwards in vgsvg's.
func (p *pen) group(transform string) error {
	turned := transform == "rotate(90)"
	if !turned && transform != "" && transform != fmt.Sprintf("scale(1, -1) translate(0, -%v)", p.high) {
		return fmt.Errorf("the drawing has a group with the transform %q, which is not known", transform)
	}
	p.groups = append(p.groups, turned)
	return nil
}

func (p *pen) turned() bool { return len(p.groups) > 0 && p.groups[len(p.groups)-1] }

// text places words. vgsvg turns them back by a transform of their own, so their y is minus the drawing's.
func (p *pen) text(t xml.StartElement) error {
	x, errX := strconv.ParseFloat(value(t, "x"), 64)
	y, errY := strconv.ParseFloat(value(t, "y"), 64)
	if err := errors.Join(errX, errY); err != nil {
		return fmt.Errorf("words of the drawing have no place: %w", err)
	}
	if p.turned() {
		fmt.Fprintf(p, `<text transform="translate(%d %d)rotate(-90)">`, round(y), round(p.high-x))
	} else {
		fmt.Fprintf(p, `<text x="%d" y="%d">`, round(x), round(p.high+y))
	}
	return nil
}

// way writes a path in whole units, each point relative to the one before, so that most numbers have one or two digits.
func (p *pen) way(d string) error {
	var from [2]int // where a closed path returns to
	for len(d) > 0 {
		command, rest := d[0], d[1:]
		end := strings.IndexAny(rest, "MLZ")
		if end < 0 {
			end = len(rest)
		}
		pair := rest[:end]
		d = rest[end:]
		if command == 'Z' {
			p.d.WriteByte('z')
			p.x, p.y = from[0], from[1]
			continue
		}
		toX, toY, _ := strings.Cut(pair, ",")
		fx, errX := strconv.ParseFloat(toX, 64)
		fy, errY := strconv.ParseFloat(toY, 64)
		if err := errors.Join(errX, errY); err != nil || command != 'M' && command != 'L' {
			return fmt.Errorf("the drawing has a path with %q, and only M, L and Z are known", command)
		}
		x, y := round(fx), round(p.high-fy)
		p.part(command, x, y)
		if command == 'M' {
			from = [2]int{x, y}
		}
	}
	return nil
}

func (p *pen) part(command byte, x, y int) {
	dx, dy := x-p.x, y-p.y
	p.x, p.y = x, y
	switch {
	case command == 'M' && p.d.Len() == 0:
		fmt.Fprintf(&p.d, "M%d %d", x, y)
	case command == 'M':
		p.d.WriteString("m" + pair(dx, dy))
	case dy == 0: // a line of no length is a dot
		fmt.Fprintf(&p.d, "h%d", dx)
	case dx == 0:
		fmt.Fprintf(&p.d, "v%d", dy)
	default:
		p.d.WriteString("l" + pair(dx, dy))
	}
}

// pair writes two numbers; a minus parts them too.
func pair(x, y int) string {
	if y < 0 {
		return fmt.Sprintf("%d%d", x, y)
	}
	return fmt.Sprintf("%d %d", x, y)
}

func round(v float64) int { return int(math.Round(v)) }

// open writes the svg element. In HTML it needs no namespace. Lines have round ends, because a dot is a line of length 0.
func open(out *bytes.Buffer, c Chart, high int) {
	fmt.Fprintf(out, `<svg width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t" aria-describedby="%s-d" class="f-ink" fill="%s" stroke-linecap="round" font-family="system-ui,sans-serif" font-size="%d">`,
		width, high, width, high, c.ID, c.ID, ink.colour, textSize)
	fmt.Fprintf(out, `<title id="%s-t">`, c.ID)
	_ = xml.EscapeText(out, []byte(c.Title)) // a Buffer takes everything
	out.WriteString("</title>")
}

func value(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// presentation turns a style into attributes.
func presentation(style string) string {
	var out strings.Builder
	for _, declaration := range strings.Split(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		switch {
		case value == "none":
			fmt.Fprintf(&out, ` %s="none"`, name)
		case name == "fill", name == "stroke":
			c, known := classes[strings.ToUpper(value)]
			if !known {
				c = ink
			}
			fmt.Fprintf(&out, ` class="%s-%s" %s="%s"`, name[:1], c.name, name, c.colour)
		case name == "stroke-width", name == "stroke-dasharray", name == "fill-opacity", name == "stroke-opacity":
			fmt.Fprintf(&out, ` %s="%s"`, name, value)
		}
	}
	return out.String()
}
