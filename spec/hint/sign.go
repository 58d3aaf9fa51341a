package hint

import (
	"bytes"
	"mime"

	"petconform/spec/exchange"
)

// Sign is what the responses show of the stack that made them.
type Sign struct {
	Stack string `json:"stack"`
	// By says what showed it: "X-Powered-By: Express".
	By string `json:"by"`
}

// mark is what shows a stack in one response: a header, or the body of an error response of a media type, or both.
type mark struct {
	Header string   `yaml:"header"`
	Value  *pattern `yaml:"value"`
	Media  string   `yaml:"media"`
	Body   *pattern `yaml:"body"`
	As     string   `yaml:"as"`
}

// Seen returns the first stack of the table that any of the responses shows, and nil if none does.
func Seen(all []exchange.Exchange) *Sign {
	for _, s := range theTable().Stacks {
		for _, m := range s.Marks {
			for _, x := range all {
				if by := m.in(x.Response); by != "" {
					return &Sign{Stack: s.Name, By: by}
				}
			}
		}
	}
	return nil
}

// in returns what shows the mark in a response, or "".
func (m mark) in(r *exchange.Response) (by string) {
	if r == nil {
		return ""
	}
	by = m.As
	if m.Header != "" {
		found := m.Value.FindString(r.Header.Get(m.Header))
		if found == "" {
			return ""
		}
		if by == "" {
			by = m.Header + ": " + found
		}
	}
	if m.Body == nil {
		return by
	}
	// An Error body is written by the service itself.
	if r.Status < 400 || bytes.Contains(r.Body, []byte(`"code"`)) && bytes.Contains(r.Body, []byte(`"status"`)) {
		return ""
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != m.Media || !m.Body.Match(r.Body) {
		return ""
	}
	return by
}
