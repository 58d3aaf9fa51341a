package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
)

//go:embed templates
var templates embed.FS

//go:embed style.css
var style string

//go:embed script.js
var script string

// The one style and the one script stand in the page as they are in their files, so that the policy can name their digests.
// They are the only text, with the figures, that html/template does not escape; none of it comes from a target.
var (
	pageStyle  = template.CSS(strings.TrimSpace(style))
	pageScript = template.JS(strings.TrimSpace(script))
	policy     = "default-src 'none'; style-src '" + digestOf(string(pageStyle)) + "'; script-src '" + digestOf(string(pageScript)) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
)

var pageTemplate = template.Must(template.New("page.tmpl").Funcs(functions).ParseFS(templates, "templates/*.tmpl"))

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Write writes the page.
func Write(w io.Writer, s Source) error {
	var b bytes.Buffer
	v, err := newView(s)
	if err != nil {
		return err
	}
	if err := pageTemplate.Execute(&b, v); err != nil {
		return err
	}
	_, err = w.Write(squeeze(b.Bytes()))
	return err
}

// squeeze takes out the indentation of the templates: lines that are empty, and blanks before a tag that begins a line. Where
// blanks matter (pre, style, script) it changes nothing. A target can't write such a tag: its < is escaped by then.
func squeeze(html []byte) []byte {
	out := make([]byte, 0, len(html))
	within := ""
	for line := range bytes.Lines(html) {
		outside := within == ""
		within = region(string(line), within)
		t := bytes.TrimSpace(line)
		switch {
		case !outside:
		case len(t) == 0:
			continue
		case t[0] == '<':
			line = bytes.TrimLeft(line, " \t")
		}
		out = append(out, line...)
	}
	return out
}

// region gives the element of kept blanks that is open at the end of a line, when within was open at its beginning.
func region(line, within string) string {
	for {
		if within == "" {
			at := len(line)
			for _, tag := range []string{"pre", "style", "script"} {
				if i := strings.Index(line, "<"+tag); i >= 0 && i < at {
					at, within = i, tag
				}
			}
			if within == "" {
				return ""
			}
			line = line[at:]
		}
		_, rest, closed := strings.Cut(line, "</"+within+">")
		if !closed {
			return within
		}
		line, within = rest, ""
	}
}
