package reference

import (
	"net/http"
	"strings"
	"time"

	"petconform/spec"
)

// routeAs routes a request as another one.
func routeAs(change func(r *http.Request) *http.Request) func(*behaviour) {
	return func(b *behaviour) {
		route := b.route
		b.route = func(c *call) {
			sent := c.request
			c.request = change(sent)
			route(c)
			c.request = sent
		}
	}
}

func headAsGet(r *http.Request) *http.Request {
	as := *r
	if r.Method == http.MethodHead {
		as.Method = http.MethodGet
	}
	return &as
}

func withoutSlash(r *http.Request) *http.Request {
	as, url := *r, *r.URL
	as.URL = &url
	url.Path, url.RawPath = strings.TrimSuffix(url.Path, "/"), strings.TrimSuffix(url.RawPath, "/")
	return &as
}

var elsewhereFreedoms = variants(Freedom{Open: open("Endpoints: other paths and methods are not named"), Part: "elsewhere"}, []Freedom{
	{Name: "head-answered", Part: "head", Says: "HEAD is answered like GET, without a body.", apply: routeAs(headAsGet)},
	{Name: "slash-at-the-end", Part: "slash at the end", Says: "A slash at the end of a path is ignored.", apply: routeAs(withoutSlash)},
	{Name: "unknown-paths-without-key", Open: open("Authentication: every operation requires the key; other paths are no operations"),
		Says:  "A path or method that the interface does not name is answered before the key is checked.",
		apply: func(b *behaviour) { b.openElsewhere = true }},
	{Name: "other-methods-404", Open: open("Endpoints: other methods are not named"), Says: "A method that a path does not have is answered 404.", apply: func(b *behaviour) {
		b.act[spec.Elsewhere] = func(*call) *refusal { return notFound("There is nothing here.") }
	}},
	{Name: "removed-on-time", Open: open("Versioning: getPet is to be removed on 5 December 2030"), Part: "removal",
		Says:  "getPet is removed at the beginning of 5 December 2030.",
		apply: func(b *behaviour) { b.removed = func(now time.Time) bool { return !now.Before(spec.Removal) } }},
})
