package exchange

import "net/http"

// foundInHeader reports whether h contains a key. It searches all of h at once, which is faster than one value after
// the other. The names that rules read are no keys, and nor is the media type.
func (r *Redactor) foundInHeader(h http.Header) bool {
	const between = "|z|" // ends the digits of every coding
	all := make([]byte, 0, 512)
	for name, values := range h {
		if !IsRead(name) {
			all = append(append(all, name...), between...)
		}
		for _, v := range values {
			if v != "application/json" {
				all = append(append(all, v...), between...)
			}
		}
	}
	return r.Found(all)
}

// RedactHeader returns a copy of h without keys, and whether there was one. Without any it may return h itself.
func (r *Redactor) RedactHeader(h http.Header) (http.Header, bool) {
	if !r.foundInHeader(h) {
		return h, false
	}
	out, hit := make(http.Header, len(h)), false
	clean := func(s string) string {
		c, found := r.Redact([]byte(s))
		hit = hit || found
		return string(c)
	}
	for name, values := range h {
		kept := make([]string, len(values))
		for i, v := range values {
			kept[i] = clean(v)
		}
		if !IsRead(name) {
			name = clean(name)
		}
		out[name] = kept
	}
	return out, hit
}
