package rules

import (
	"net/url"
	"path"
	"strings"

	"petconform/spec/history"
)

func basePath(h *history.History) Whole {
	u, err := url.Parse(h.Meta.Target)
	if err != nil || h.Meta.Target == "" {
		return Whole{Unknown: "the recording names no target"}
	}
	if last := path.Base(strings.TrimRight(u.Path, "/")); last != "v1" {
		f := broken("VERSION-1", "the base address", "a path that ends in /v1", clip(h.Meta.Target))
		return Whole{Of: 1, Broken: append(Whole{}.Broken, f)}
	}
	return Whole{Of: 1}
}

// clip cuts a text that a finding quotes to 200 characters.
func clip(s string) string { return history.Clip(s, 200) }
