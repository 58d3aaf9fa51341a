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
