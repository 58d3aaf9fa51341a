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

// BoundHeader returns h, or a shortened copy if h is larger than a recording keeps. cut is the number of bytes that
// were left out.
func BoundHeader(h http.Header) (kept http.Header, cut int) {
	size, long := 0, false
	for name, values := range h {
		for _, v := range values {
			size += len(name) + len(v)
			long = long || len(v) > maxValue
		}
	}
	if size <= maxHeader && !long {
		return h, 0
	}
	kept = http.Header{}
	names := slices.Sorted(maps.Keys(h))
	names = append(slices.Clone(judged), slices.DeleteFunc(names, func(n string) bool { return slices.Contains(judged, n) })...)
	left := maxHeader
	for _, name := range names {
		for _, v := range h[name] {
			most := min(maxValue, left-len(name))
			if most <= 0 {
				continue
			}
			if len(v) > most {
				v = strings.Clone(v[:most])
			}
			kept[name] = append(kept[name], v)
			left -= len(name) + len(v)
		}
	}
	return kept, size - (maxHeader - left)
}
