package reference

import (
	"net/http"
	"strings"
	"time"

	"petconform/spec"
)

// routed makes a freedom that finds operations otherwise.
func routed(name, part, says string, change func(r *http.Request) *http.Request) Freedom {
	return Freedom{
		Name: name, Open: open("Endpoints: other paths and methods are not named"), Says: says, Part: part,
		apply: func(b *behaviour) {
			route := b.route
			b.route = func(c *call) {
				sent := c.request
				c.request = change(sent)
				route(c)
				c.request = sent
			}
		},
	}
}

var elsewhereFreedoms = []Freedom{
	routed("head-answered", "head", "HEAD is answered as GET without a body.", func(r *http.Request) *http.Request {
		if r.Method != http.MethodHead {
			return r
		}
		as := *r
		as.Method = http.MethodGet
		return &as
	}),
	routed("slash-at-the-end", "slash at the end", "A slash at the end of a path is ignored.", func(r *http.Request) *http.Request {
		as, url := *r, *r.URL
		as.URL = &url
		url.Path, url.RawPath = strings.TrimSuffix(url.Path, "/"), strings.TrimSuffix(url.RawPath, "/")
		return &as
	}),
	{
		Name: "unknown-paths-without-key", Open: open("Authentication: every operation requires the key; other paths are no operations"), Part: "elsewhere",
		Says: "A path or method that the interface does not name is answered before the key is looked at.",
		apply: func(b *behaviour) {
			b.order[spec.Elsewhere] = []step{act}
		},
	},
	{
		Name: "other-methods-404", Open: open("Endpoints: other methods are not named"), Part: "elsewhere",
		Says: "A method that a path does not have is answered 404.",
		apply: func(b *behaviour) {
			b.act[spec.Elsewhere] = func(*call) *refusal { return notFound("There is nothing here.") }
		},
	},
	{
		Name: "removed-on-time", Open: open("Versioning: getPet is to be removed on 5 December 2030"), Part: "removal",
		Says: "getPet is gone from the first second of 5 December 2030.",
		apply: func(b *behaviour) {
			b.removed = func(now time.Time) bool { return !now.Before(spec.Removal) }
		},
	},
}
