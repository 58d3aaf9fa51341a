package page

import (
	"html/template"
	"regexp"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

var functions = template.FuncMap{
	"mark":    decision.MarkOf,
	"count":   spec.Count,
	"filter":  filterWord,
	"groups":  safe.Groups,
	"when":    safe.Time,
	"date":    func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	"said":    compare.Said,
	"capital": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	// line makes text of a target safe to show. html/template escapes it afterwards.
	"line":     func(s string) string { return safe.Clip(safe.Line(s), lineShown) },
	"short":    func(s string) string { return safe.Clip(safe.Line(s), nameShown) },
	"words":    func() []word { return wordList },
	"seconds":  func(s float64) string { return lasting(time.Duration(s * float64(time.Second))) },
	"n":        number,
	"whole":    whole,
	"figureOf": figureOf,
	"cases":    safe.Cases,
	"effect":   func(id spec.ID) string { return spec.TheLedger().Effect(id) },
	"more": func(checks int) string {
		if checks < 2 {
			return ""
		}
		return spec.Count(checks, "check")
	},
}

// number writes a count of either type with its separators.
func number(n any) string {
	if v, ok := n.(int64); ok {
		return spec.Number(v)
	}
	return spec.Number(n.(int))
}

// one matches what must not be broken over lines: the id of a requirement, and a flag.
var one = regexp.MustCompile(`\b[A-Z]+-\d+\b|\B--?[A-Za-z][\w-]*`)

// whole keeps ids and flags on one line each.
func whole(s string) template.HTML {
	return template.HTML(one.ReplaceAllString(template.HTMLEscapeString(s), "<i>$0</i>"))
}

// lasting formats a duration without zero units at its end: 48m, not 48m0s.
func lasting(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// lineShown bounds one value within a table or a sentence.
const lineShown = 400

// nameShown bounds the name of an animal in the list of those that stay; results.json has all of it.
const nameShown = 60

type word struct {
	Verdict verdict.Verdict
	Meaning string
}

// wordList has the meaning of each verdict, for the legend of the page.
var wordList = []word{
	{verdict.Failed, "the response breaks the requirement"},
	{verdict.Waived, "failed, and a waiver in force excuses it"},
	{verdict.Inconclusive, "it ran, and the responses do not decide it"},
	{verdict.NotRun, "no request was sent for it, or it had no response to judge"},
	{verdict.Passed, "every response was as expected"},
	{verdict.Observed, "the interface leaves it open; the behaviour is recorded and never fails a run"},
	{verdict.NotApplicable, "it does not apply to this run"},
}
