package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"maps"
	"slices"
	"strings"
)

//go:embed templates
var templates embed.FS

//go:embed style.css
var style string

//go:embed script.js
var script string

// The style and the script are in the page exactly as in their files, since the policy has their digests. Together with the
// figures, they are the only text that html/template does not escape; none of it comes from a target.
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

// Render returns the page, and the bodies beside it in the order of their names. There are bodies beside it only if the page
// would be larger than s.Most.
func Render(s Source) (html []byte, beside []Body, err error) {
	html, _, err = render(s, nil)
	most := s.Most
	if most == 0 {
		most = Most
	}
	if err != nil || len(html) <= most {
		return html, nil, err
	}
	html, v, err := render(s, map[string]Body{})
	if err != nil {
		return nil, nil, err
	}
	for _, sum := range slices.Sorted(maps.Keys(v.beside)) {
		beside = append(beside, v.beside[sum])
	}
	return html, beside, nil
}

func render(s Source, beside map[string]Body) ([]byte, *view, error) {
	v, err := newView(s, beside)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		return nil, nil, err
	}
	return squeeze(b.Bytes()), v, nil
}
