package page

import (
	"bytes"
	"regexp"
	"strings"
)

// squeeze removes what a browser does not need: the indentation of the templates, optional tags and quotes, and escapes of
// characters that need none in text. It leaves lines in pre, style and script as they are.
func squeeze(html []byte) []byte {
	out := make([]byte, 0, len(html))
	within := ""
	for line := range bytes.Lines(plainer(html)) {
		outside := within == ""
		within = region(string(line), within)
		t := bytes.TrimSpace(line)
		switch {
		case !outside:
		case len(t) == 0:
			continue
		case t[0] == '<':
			line = bytes.TrimLeft(line, " \t")
		}
		out = append(out, line...)
	}
	return out
}

// optional matches end tags that HTML allows to leave out. Text of a target has none, since its < is escaped.
var optional = strings.NewReplacer("</td>", "", "</th>", "", "</tr>", "", "</thead>", "", "</tbody>", "", "</li>", "", "</dt>", "", "</dd>", "")

// quotes end nothing outside of a tag.
var quotes = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#43;", "+")

// simple matches an attribute whose value needs no quotes, before a space or the end of the tag. Before a slash the quotes are
// needed, or the slash would become a part of the value.
var simple = regexp.MustCompile(`="([\w.:#-]+)"([ >])`)

// plainer simplifies each tag. It does not change the style and the script, because the policy has their digests.
func plainer(html []byte) []byte {
	head, rest, _ := bytes.Cut(html, []byte("</style>"))
	at := bytes.LastIndex(rest, []byte("<script>"))
	if at < 0 {
		return html
	}
	out := bytes.NewBuffer(append(bytes.Clone(head), "</style>"...))
	text := optional.Replace(string(rest[:at]))
	for len(text) > 0 {
		words, tag, _ := strings.Cut(text, "<")
		_, _ = quotes.WriteString(out, words) // a Buffer takes everything
		if len(words) == len(text) {
			break
		}
		end := strings.IndexByte(tag, '>') + 1
		out.WriteString(simple.ReplaceAllString("<"+tag[:end], "=$1$2"))
		text = tag[end:]
	}
	out.Write(rest[at:])
	return out.Bytes()
}

// region returns the element with significant white space that is open at the end of a line. within is the one open at its
// beginning.
func region(line, within string) string {
	for {
		if within == "" {
			at := len(line)
			for _, tag := range []string{"pre", "style", "script"} {
				if i := strings.Index(line, "<"+tag); i >= 0 && i < at {
					at, within = i, tag
				}
			}
			if within == "" {
				return ""
			}
			line = line[at:]
		}
		_, rest, closed := strings.Cut(line, "</"+within+">")
		if !closed {
			return within
		}
		line, within = rest, ""
	}
}
