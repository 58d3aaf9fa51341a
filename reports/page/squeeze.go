package page

import (
	"bytes"
	"regexp"
	"strings"
)

// squeeze takes out what a browser does not need: the indentation of the templates, tags and quotes that HTML lets be left
// out, and the escapes of characters that are nothing special in text. Where blanks matter (pre, style, script) lines stay as they are.
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

// optional are end tags that follow from what comes next. A target can't write one: its < is escaped by then.
var optional = strings.NewReplacer("</td>", "", "</th>", "", "</tr>", "", "</thead>", "", "</tbody>", "", "</li>", "", "</dt>", "", "</dd>", "")

// quotes end nothing outside of a tag.
var quotes = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#43;", "+")

// simple is an attribute whose value needs no quotes. It ends before a blank or the tag's end: a slash would become part of it.
var simple = regexp.MustCompile(`="([\w.:#-]+)"([ >])`)

// plainer goes from tag to tag. The style and the script, at the ends of the page, are left alone: a policy names their digests.
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

// region gives the element of kept blanks that is open at the end of a line, when within was open at its beginning.
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
