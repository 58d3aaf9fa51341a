package exchange

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// The bounds of the headers that are kept of a response, in bytes. The interface names headers of a few dozen bytes.
const (
	maxValue  = 8 << 10
	maxHeader = 16 << 10
)

// judged are the headers that rules read. They are kept first.
var judged = []string{"Content-Type", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Retry-After", "Date", "Age",
	"Location", "Link", "Www-Authenticate", "Content-Encoding", "Deprecation", "Sunset"}

// IsRead reports whether rules read the headers of a name. Such a name is no key.
func IsRead(name string) bool { return slices.Contains(judged, name) }

// BoundHeader returns h, or a shortened copy if h is larger than a recording keeps.
func BoundHeader(h http.Header) http.Header {
	size, longest := 0, 0
	for name, values := range h {
		for _, v := range values {
			size, longest = size+len(name)+len(v), max(longest, len(v))
		}
	}
	if size <= maxHeader && longest <= maxValue {
		return h
	}
	kept, left := http.Header{}, maxHeader
	for _, name := range slices.Concat(judged, slices.Sorted(maps.Keys(h))) {
		if kept[name] != nil {
			continue
		}
		for _, v := range h[name] {
			if most := min(maxValue, left-len(name)); most > 0 {
				v = strings.Clone(v[:min(len(v), most)])
				kept[name], left = append(kept[name], v), left-len(name)-len(v)
			}
		}
	}
	return kept
}
