package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed templates
var templates embed.FS

//go:embed style.css
var style string

//go:embed script.js
var script string

// The style and the script are in the page exactly as in their files, since the policy has their digests. Together with
// the figures, they are the only text that html/template does not escape; none of it comes from a target.
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

// Render returns the page.
func Render(s Source) ([]byte, error) {
	v, err := newView(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, v)
	return b.Bytes(), err
}
