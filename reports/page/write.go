// Package page writes report.html: one file that a release manager reads first, an engineer digs in second and an
// auditor files third. It only lays out what package reports has found; the same data gives the same bytes.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

//go:embed templates
var templates embed.FS

//go:embed style.css
var style string

//go:embed script.js
var script string

// Policy is that of the page. Style and Script are in it exactly as in their files, since the policy has their digests.
// Together with the figures, they are the only text that html/template does not escape; none of it comes from a target.
var (
	Style  = strings.TrimSpace(style)
	Script = strings.TrimSpace(script)
	Policy = "default-src 'none'; style-src '" + digestOf(Style) + "'; script-src '" + digestOf(Script) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
)

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

var functions = template.FuncMap{
	"style":   func() template.CSS { return template.CSS(Style) },
	"script":  func() template.JS { return template.JS(Script) },
	"policy":  func() string { return Policy },
	"mark":    decision.MarkOf,
	"order":   verdict.Order,
	"digest":  safe.Groups,
	"when":    safe.Time,
	"date":    func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	"filter":  func(v verdict.Verdict) string { return strings.ReplaceAll(string(decision.Shown(v)), " ", "-") },
	"verdict": decision.Shown,
	"risk": func(id spec.ID) string {
		entry, _ := spec.TheLedger().Find(id)
		return entry.Why
	},
	// line makes text of a target safe to show. html/template escapes it afterwards.
	"line":     func(s string) string { return safe.Clip(safe.Line(s), lineShown) },
	"text":     func(s string) string { return safe.Clip(safe.Text(s), textShown) },
	"clock":    func(t time.Time) string { return t.UTC().Format("15:04:05.000 UTC") },
	"ms":       func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) },
	"request":  request,
	"response": response,
	"n":        func(count any) string { return spec.Number(reflect.ValueOf(count).Int()) },
	"whole":    whole,
	"join":     strings.Join,
	"seconds":  func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) },
}

// Bounds of one value within a table or a sentence, and of one in lines, in characters.
const lineShown, textShown = 400, 1200

// Bounds of a message: characters of its head, and bytes of its body.
const headShown, bodyShown = 4000, 1200

func message(head []string, body []byte) string {
	text := safe.Clip(strings.Join(head, "\n"), headShown)
	if len(body) > 0 {
		text += "\n\n" + safe.Text(string(body[:min(len(body), bodyShown)]))
	}
	if len(body) > bodyShown {
		text += fmt.Sprintf("\n(the first %s bytes of %s)", spec.Number(bodyShown), spec.Number(len(body)))
	}
	return text
}

func request(x exchange.Exchange) string { return message(safe.RequestHead(x), x.Request.Body) }

func response(x exchange.Exchange) (text string) {
	if x.Response != nil {
		text = message(safe.ResponseHead(*x.Response), x.Response.Body) + "\n\n"
	}
	if x.Response == nil || x.Failure != nil {
		text += "(" + safe.Came(x) + ")"
	}
	return strings.TrimSuffix(text, "\n\n")
}

// one matches what must not be broken over lines: the id of a requirement, and a flag.
var one = regexp.MustCompile(`\b[A-Z]+-\d+\b|\B--?[A-Za-z][\w-]*`)

// whole keeps ids and flags on one line each.
func whole(s string) template.HTML {
	return template.HTML(one.ReplaceAllString(template.HTMLEscapeString(s), "<i>$0</i>"))
}

var pageTemplate = template.Must(template.New("page.tmpl").Funcs(functions).ParseFS(templates, "templates/*.tmpl"))

// Write writes the page of the data that package reports lays out.
func Write(w io.Writer, data any) error { return pageTemplate.Execute(w, data) }
