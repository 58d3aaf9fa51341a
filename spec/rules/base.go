package rules

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"petconform/spec/history"
)

func basePath(h *history.History) Whole {
	u, err := url.Parse(h.Meta.Target)
	if err != nil || h.Meta.Target == "" {
		return Whole{Unknown: "the recording names no target"}
	}
	if last := path.Base(strings.TrimRight(u.Path, "/")); last != "v1" {
		f := broken("VERSION-1", "the base address", "a path that ends in /v1", clip(u.Path+" "))
		return Whole{Of: 1, Broken: append(Whole{}.Broken, f)}
	}
	return Whole{Of: 1}
}

// clip keeps what is quoted short.
func clip(s string) string {
	const most = 200
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// excerpt is the beginning of a body, for a finding.
func excerpt(x history.Exchange) string {
	if len(x.Response.Body) == 0 {
		return "an empty body"
	}
	return clip(strings.ToValidUTF8(string(x.Response.Body[:min(len(x.Response.Body), 800)]), "\uFFFD"))
}
